import { notListening } from '../base/misconfigured.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import type { Service } from '../http/endpoint.ts'
import { operationNamed } from '../http/endpoints.ts'
import { openServer } from '../http/server.ts'
import type { AccountHealthWriter } from '../telemetry/account-health.ts'
import type { RequestLogWriter } from '../telemetry/request-log.ts'
import { openMailer } from '../users/mail.ts'
import { openSso } from '../users/sso.ts'
import type { Caches } from './caches.ts'
import { depths, fallsDue } from './jobs.ts'
import { listen } from './listeners.ts'
import type { ServiceOverrides } from './overrides.ts'
import type { Telemetry } from './telemetry.ts'
import { openPatience } from './wait.ts'

type Parts = {
  context: Context
  caches: Caches
  telemetry: Telemetry
  requestLog: RequestLogWriter | null
  accounts: AccountHealthWriter
  ready: Service['ready']
}

/** Returns the address, which is also the public one unless the deployment has named another. */
export async function openHttp(
  config: Config,
  overrides: ServiceOverrides,
  { context, caches, telemetry, requestLog, accounts, ready }: Parts,
) {
  const { settings, services, deployment } = caches
  const { metrics, traces, reportAttempt } = telemetry
  const mailer = await openMailer(config.smtp)
  const service: Service = {
    context,
    settings,
    services,
    mode: config.mode,
    deployment,
    adminKey: config.adminKey,
    mailer,
    sso: openSso(config.sso),
    patience: overrides.patience ?? openPatience(config.answerWithinMs),
    ready,
    watch: { attempt: reportAttempt, request: metrics?.request ?? null, traces, requestLog, accounts },
    kinds: fallsDue.claimed,
    depths,
    streams: new Set(),
    operation: operationNamed,
  }
  const { trustedProxies, securityContact, role } = config
  const app = openServer(service, { trustedProxies, securityContact, only: role === 'worker' ? 'health' : null })
  const listener = await listen(app, { host: config.host, port: config.port }).catch(error => {
    throw notListening(error, config)
  })
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${listener.address.port}`
  services.publicUrl ||= url
  deployment.publicUrl = services.publicUrl
  return { url, service, close: () => listener.close().finally(() => mailer?.close()) }
}
