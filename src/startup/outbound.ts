import type { Config } from '../config.ts'
import { type Names, openReach } from '../connectors/reach.ts'
import { openSend } from '../connectors/send.ts'
import type { Context } from '../context.ts'

/** The time limits of a call to a merchant's endpoint, and how much of the answer is read. */
const WEBHOOK_LIMITS = { total_ms: 20_000, first_byte_ms: 15_000, connect_ms: 5_000, body_bytes: 16_384, cutsLong: true }

/** The time limits of a call to a separate vault process: a payment waits for it before the payment is begun. */
const VAULT_LIMITS = { total_ms: 4_000, first_byte_ms: 3_000, connect_ms: 1_500 }

/** The ways outside, each with limits and addresses of its own: processors, endpoints, the vault process. */
export function openCalls(config: Config, names: Names | undefined) {
  const reach = {
    // In live mode the deployment has no addresses of its own: every processor is on the Internet.
    send: openReach({ loopback: config.webhookLoopback, plainly: config.mode === 'test', own: Object.values(config.baseUrls), names }),
    deliver: openReach({ loopback: config.webhookLoopback, names }),
  }
  const processors = openSend(reach.send, {
    total_ms: config.processorTimeoutMs,
    first_byte_ms: Math.min(15_000, config.processorTimeoutMs),
    connect_ms: Math.min(5_000, config.processorTimeoutMs),
  })
  const endpoints = openSend(reach.deliver, WEBHOOK_LIMITS)
  const vault = openSend(openReach({ own: config.vault === null ? [] : [config.vault.url] }), VAULT_LIMITS)
  const unreachable: Context['unreachable'] = (url, by) => reach[by].unreachable(url)
  return {
    send: processors.send,
    deliver: endpoints.send,
    sendToVault: vault.send,
    unreachable,
    close: () => Promise.all([processors.close(), endpoints.close(), vault.close()]),
  }
}

export type Calls = ReturnType<typeof openCalls>
