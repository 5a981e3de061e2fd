// What a person sees when all is up, and when asking for help.
import type { Demo } from './demo.ts'

export function greeting(base: string, adminKey: string | null, demo: Demo | null, dataDir: string): string {
  const lines = [`Switchyard is ready at ${base}`, '', `  interface        ${base}/docs`]
  if (adminKey !== null) lines.push(`  admin key        ${adminKey}`)
  if (demo !== null) lines.push(`  secret key       ${demo.api_key}`, `  publishable key  ${demo.publishable_key}`)
  lines.push(`  data and logs    ${dataDir}`)
  if (demo !== null) {
    const card = { card_number: '4242424242424242', card_exp_month: '12', card_exp_year: '2030', card_cvc: '123' }
    const payment = { amount: 1250, currency: 'USD', confirm: true, payment_method: 'card', payment_method_data: { card } }
    lines.push(
      '',
      'Take a payment:',
      '',
      `curl -s ${base}/payments -H 'content-type: application/json' -H 'api-key: ${demo.api_key}' -d '${JSON.stringify(payment)}'`,
    )
  }
  return `\n${lines.join('\n')}\n\nCtrl-C stops it.\n\n`
}

export type Setting = { name: string; default?: unknown; description: string }

const ours: Setting[] = [
  { name: 'SWITCHYARD_DATA', default: 'data', description: 'folder for the database, keys, logs and the sandbox’s ledger' },
  { name: 'DATABASE_URL', default: 'own PostgreSQL', description: 'a PostgreSQL of yours; none is started then' },
  { name: 'SANDBOX', default: 'on', description: 'off: no sandbox processor is started (nor is it in live mode)' },
  { name: 'SANDBOX_PORT', default: '8081 or the next free one', description: 'port of the sandbox processor' },
  { name: 'SANDBOX_HOST', default: '127.0.0.1', description: 'address of the sandbox processor' },
  { name: 'LOG', default: 'file', description: 'stdout: the service’s JSON log on stdout instead of in service.log' },
  { name: 'SWITCHYARD_NODE', default: '', description: 'a Node 24 to use where the packaged one is not installed' },
]

export function help(ofService: readonly Setting[]): string {
  const known = new Set(ours.map(setting => setting.name))
  return `npm start: starts Switchyard, a payment orchestration service, with all it needs.

It starts PostgreSQL (unless DATABASE_URL names one), the sandbox processor (unless MODE=live or SANDBOX=off) and the
service; on the first start in test mode it opens a demo shop and prints its keys. Ctrl-C stops all of it, in order.

Settings are environment variables. Of the launcher:

${table(ours)}
${ofService.length === 0 ? '' : `\nOf the service:\n\n${table(ofService.filter(setting => !known.has(setting.name)))}\n`}`
}

function table(settings: readonly Setting[]): string {
  const rows = settings.map(({ name, default: usual, description }) => [name, String(usual ?? ''), description] as const)
  const width = (column: 0 | 1) => Math.min(36, Math.max(...rows.map(row => row[column].length)))
  return rows.map(([name, usual, description]) => `  ${name.padEnd(width(0))}  ${usual.padEnd(width(1))}  ${description}`).join('\n')
}
