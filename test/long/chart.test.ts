import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { readConfig } from '../../src/config.ts'
import { findHelm } from '../../tools/chart/helm.ts'
import { chartFolder } from '../../tools/chart/schema.ts'
import type { Body } from '../call.ts'

/**
 * Tests of the Helm chart, which Helm lints and renders. The rendered manifests are checked against Kubernetes' own
 * types (an unknown member is an error), and the containers' settings against those that the service accepts. No
 * cluster is used.
 */

const helm = findHelm()
const skip =
  helm === null &&
  'the chart is rendered by Helm 3, which is not here: HELM says where it is, --helm build builds it (Go 1.21, five minutes)'
const folder = mkdtempSync(join(tmpdir(), 'switchyard-chart-'))
after(() => rmSync(folder, { recursive: true, force: true }))

type Values = Record<string, unknown>
type Manifest = { kind: string; metadata: { name: string; labels: Record<string, string> }; spec: Body }

const least = { image: { repository: 'registry.example/switchyard' }, publicUrl: 'https://pay.example' }
const everything = {
  ...least,
  settings: { REQUEST_LOG_DAYS: 30, LOG_LEVEL: 'warn', TRUSTED_PROXIES: '10.0.0.0/8', SMTP_FROM: 'Shop <pay@shop.example>' },
  secretSettings: { SMTP_URL: { name: 'mail', key: 'url' } },
  api: { processes: 'auto', autoscaling: { enabled: true }, nodeSelector: { pool: 'payments' } },
  worker: { autoscaling: { enabled: true, matchLabels: { queue: 'outbox' } } },
  vault: { enabled: true },
  ingress: { enabled: true, className: 'nginx', tls: [{ hosts: ['pay.example'], secretName: 'tls' }] },
  metrics: {
    token: { name: 'metrics', key: 'token' },
    podMonitor: { enabled: true, labels: { team: 'payments' } },
    rules: { enabled: true },
  },
  networkPolicy: {
    enabled: true,
    ingressFrom: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }],
    metricsFrom: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }],
  },
  podLabels: { team: 'payments' },
  podAnnotations: { note: 'yes' },
  imagePullSecrets: [{ name: 'registry' }],
}

const bucket = {
  ...least,
  settings: { FILES_BUCKET: 'https://s3.example/evidence' },
  secretSettings: { FILES_BUCKET_KEY_ID: { name: 'evidence', key: 'id' }, FILES_BUCKET_SECRET: { name: 'evidence', key: 'secret' } },
}

let files = 0
function run(command: string, values: Values): { status: number | null; out: string; err: string } {
  const file = join(folder, `values-${files++}.json`)
  writeFileSync(file, JSON.stringify(values))
  const named = command === 'template' ? ['template', 'shop', chartFolder, '--kube-version', '1.33.0'] : [command, chartFolder]
  const { status, stdout, stderr } = spawnSync(helm!, [...named, '--values', file, ...(command === 'lint' ? ['--strict'] : [])], {
    encoding: 'utf8',
  })
  return { status, out: stdout, err: stderr }
}

function rendered(values: Values): Manifest[] {
  const { status, out, err } = run('template', values)
  equal(status, 0, err)
  const all = parseAllDocuments(out)
  for (const one of all) deepEqual(one.errors, [])
  return all.map(one => one.toJS()).filter(one => one !== null)
}

const named = (all: readonly Manifest[], kind: string, name: string): Manifest =>
  all.find(one => one.kind === kind && one.metadata.name === name) ?? ok(false, `no ${kind} ${name}`)!

test('the Helm chart passes helm lint, with minimal and with full values', { skip }, () => {
  for (const values of [least, everything]) {
    const { status, out, err } = run('lint', values)
    equal(status, 0, out + err)
  }
})

test('the rendered manifests contain no field that Kubernetes does not know', { skip }, () => {
  const types: Record<string, string> = {
    Deployment: 'apps/v1',
    Service: 'core/v1',
    ServiceAccount: 'core/v1',
    PersistentVolumeClaim: 'core/v1',
    PodDisruptionBudget: 'policy/v1',
    HorizontalPodAutoscaler: 'autoscaling/v2',
    Ingress: 'networking/v1',
    NetworkPolicy: 'networking/v1',
  }
  // The types of the Prometheus Operator are in no npm package.
  const foreign = ['PodMonitor', 'PrometheusRule']
  const all = [least, everything].flatMap(rendered).filter(({ kind }) => !foreign.includes(kind))
  deepEqual(new Set(all.map(({ kind }) => kind)), new Set(Object.keys(types)))
  const lines = all.map(
    (one, i) => `export const m${i}: import('kubernetes-types/${types[one.kind]}').${one.kind} = ${JSON.stringify(one, null, 1)}\n`,
  )
  const place = join(folder, 'types')
  mkdirSync(place)
  symlinkSync(join(process.cwd(), 'node_modules'), join(place, 'node_modules'))
  const bogus = lines.join('').replace('"automountServiceAccountToken"', '"automountServiceAccountTokens"')
  writeFileSync(join(place, 'bogus.ts'), bogus)
  writeFileSync(join(place, 'manifests.ts'), lines.join(''))
  const check = (file: string) =>
    spawnSync(
      process.execPath,
      [
        'node_modules/typescript/bin/tsc',
        '--ignoreConfig',
        '--noEmit',
        '--strict',
        '--skipLibCheck',
        '--module',
        'nodenext',
        join(place, file),
      ],
      { encoding: 'utf8' },
    )
  const { status, stdout } = check('manifests.ts')
  equal(status, 0, stdout)
  match(check('bogus.ts').stdout, /automountServiceAccountTokens/)
})

/** Gives the environment of a container, with a stand-in for each secret. */
function environmentOf({ spec }: Manifest): Record<string, string> {
  const secrets: Record<string, string> = {
    DATABASE_URL: 'postgresql://switchyard:secret@database:5432/switchyard',
    METRICS_TOKEN: 'token_of_the_metrics',
    SMTP_URL: 'smtp://mail.example:587',
    FILES_BUCKET_KEY_ID: 'id',
    FILES_BUCKET_SECRET: 'secret',
  }
  const [container] = spec.template.spec.containers
  return Object.fromEntries(container.env.map(({ name, value, valueFrom }: Body) => [name, valueFrom ? secrets[name] : value]))
}

const identities = join(folder, 'identities')

/**
 * Makes the files that the service reads when it starts, as an operator makes them. Gives the environment that names
 * them.
 */
function ownFiles({ VAULT_IDENTITY }: Record<string, string>): Record<string, string> {
  const key = join(folder, 'admin_key')
  writeFileSync(key, randomBytes(24).toString('hex'), { mode: 0o600 })
  if (!VAULT_IDENTITY) return { ADMIN_API_KEY_FILE: key }
  if (!existsSync(identities)) execFileSync(process.execPath, ['launch/vault.ts', '--identities', identities])
  return { ADMIN_API_KEY_FILE: key, VAULT_IDENTITY: join(identities, 'service.json') }
}

test('the service accepts the settings of each container, and each file that they name is mounted', { skip }, () => {
  for (const values of [least, everything, bucket])
    for (const role of ['api', 'worker']) {
      const deployment = named(rendered(values), 'Deployment', `shop-switchyard-${role}`)
      const env = environmentOf(deployment)
      const [container] = deployment.spec.template.spec.containers
      const { volumes } = deployment.spec.template.spec
      const secrets = volumes.flatMap(({ projected }: Body) => projected?.sources ?? [])
      const files = secrets.flatMap(({ secret }: Body) => secret.items.map(({ path }: Body) => `/run/secrets/switchyard/${path}`))
      const mounted = ['ADMIN_API_KEY_FILE', 'KEY_FILE', 'VAULT_IDENTITY'].flatMap(name => env[name] ?? [])
      deepEqual(files.toSorted(), mounted.toSorted())
      equal(
        container.volumeMounts.some(({ mountPath }: Body) => mountPath === '/files'),
        env.FILES_FOLDER === '/files',
      )
      const config = readConfig({ ...env, ...ownFiles(env) })
      deepEqual([config.role, config.publicUrl, config.metrics?.port], [role, 'https://pay.example', 9464])
    }
})

test('pods run without privileges, have distinct selectors, and get enough time to finish requests when they stop', { skip }, () => {
  const all = rendered(everything)
  const deployments = all.filter(({ kind }) => kind === 'Deployment')
  deepEqual(deployments.map(({ metadata }) => metadata.name).toSorted(), [
    'shop-switchyard-api',
    'shop-switchyard-vault',
    'shop-switchyard-worker',
  ])
  const selectors = deployments.map(({ spec }) => JSON.stringify(spec.selector))
  equal(new Set(selectors).size, 3)
  for (const { spec } of deployments) {
    const { containers, securityContext, terminationGracePeriodSeconds, automountServiceAccountToken } = spec.template.spec
    const [{ securityContext: own, lifecycle, livenessProbe, readinessProbe, resources }] = containers
    deepEqual([securityContext.runAsNonRoot, own.readOnlyRootFilesystem, own.capabilities], [true, true, { drop: ['ALL'] }])
    equal(automountServiceAccountToken, false)
    // The service may take 28 s to stop (src/main.ts), after the pause in which load balancers learn that it stops.
    ok(terminationGracePeriodSeconds >= 28 + Number(lifecycle.preStop.exec.command[1]))
    ok(livenessProbe && readinessProbe && resources.requests.memory && resources.limits.memory)
    for (const [name, value] of Object.entries(spec.selector.matchLabels)) equal(spec.template.metadata.labels[name], value)
  }
  for (const role of ['api', 'worker'])
    equal(named(all, 'Deployment', `shop-switchyard-${role}`).spec.replicas, undefined, 'left to the autoscaler')
  // The Service selects the pods of the API only.
  equal(named(all, 'Service', 'shop-switchyard').spec.selector['app.kubernetes.io/component'], 'api')
  equal(named(all, 'Ingress', 'shop-switchyard').spec.rules[0].host, 'pay.example')
  ok(!JSON.stringify(all).includes('kind":"Secret'), 'the chart makes no secret')
})

test('a misspelt, missing or reserved value is refused by name', { skip }, () => {
  const refused = (values: Values, pattern: RegExp) => {
    const { status, err } = run('template', values)
    ok(status !== 0)
    match(err, pattern)
  }
  refused({ ...least, image: {} }, /image\.repository is required/)
  refused({ ...least, publicUrl: '' }, /publicUrl is required/)
  refused({ ...least, replicas: 3 }, /replicas/)
  refused({ ...least, mode: 'production' }, /mode/)
  refused({ ...least, settings: { REQUEST_LOGDAYS: 3 } }, /REQUEST_LOGDAYS/)
  refused({ ...least, settings: { DATABASE_URL: 'postgresql://a:b@c/d' } }, /DATABASE_URL/)
  refused({ ...least, settings: { SMTP_FROM: 'a@b.example' }, secretSettings: { SMTP_FROM: { name: 'a', key: 'b' } } }, /SMTP_FROM/)
})

test('a network policy lets in only the sources that are named, and none is rendered that would let in everybody', { skip }, () => {
  const { status, err } = run('template', { ...least, networkPolicy: { enabled: true } })
  equal(status === 0, false)
  match(err, /networkPolicy\.ingressFrom is required with networkPolicy\.enabled/)
  const controller = [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }]
  const monitoring = [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }]
  const rulesOf = (networkPolicy: object): Record<string, unknown> =>
    Object.fromEntries(
      rendered({ ...least, vault: { enabled: true }, networkPolicy: { enabled: true, ...networkPolicy } })
        .filter(({ kind }) => kind === 'NetworkPolicy')
        .map(({ metadata, spec }) => [metadata.name.replace(/^.*-/, ''), spec.ingress]),
    )
  const quiet = rulesOf({ ingressFrom: controller })
  deepEqual([quiet.api, quiet.worker], [[{ from: controller, ports: [{ port: 'http' }] }], []])
  const watched = rulesOf({ ingressFrom: controller, metricsFrom: monitoring })
  deepEqual(
    [watched.api, watched.worker],
    [
      [
        { from: controller, ports: [{ port: 'http' }] },
        { from: monitoring, ports: [{ port: 'metrics' }] },
      ],
      [{ from: monitoring, ports: [{ port: 'metrics' }] }],
    ],
  )
  // In Kubernetes a rule without sources, or with an empty list of them, allows every source.
  for (const rules of [...Object.values(quiet), ...Object.values(watched)])
    for (const rule of rules as { from?: unknown[] }[]) ok((rule.from?.length ?? 0) > 0, JSON.stringify(rule))
})
