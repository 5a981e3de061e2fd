// The text that a person sees when everything is running, and the text of `--help`.
import type { Setting } from '../src/base/setting.ts'
import type { Demo } from './demo.ts'
import { groups } from './settings.ts'

type Up = { base: string; adminKey: string | null; demo: Demo | null; firstLink: string | null; dataDir: string; database: string }

const bare = (address: string): string => address.replace(/^(\w+:\/\/[^:@/]+):[^@/]*@/, '$1:…@')

export function greeting({ base, adminKey, demo, firstLink, dataDir, database }: Up): string {
  const lines = [`Switchyard is ready at ${base}`, '', `  dashboard        ${base}/dashboard`, `  documentation    ${base}/docs`]
  if (firstLink !== null) lines.push(`  first owner      ${firstLink}`)
  if (adminKey !== null) lines.push(`  admin key        ${adminKey}`)
  if (demo !== null) lines.push(`  secret key       ${demo.api_key}`, `  publishable key  ${demo.publishable_key}`)
  lines.push(`  database         ${bare(database)}`, `  data and logs    ${dataDir}`)
  if (demo !== null) {
    const card = { card_number: '4242424242424242', card_exp_month: '12', card_exp_year: '2030', card_cvc: '123' }
    const payment = { amount: 1250, currency: 'USD', confirm: true, payment_method: 'card', payment_method_data: { card } }
    lines.push(
      '',
      'To run the examples of README.md in another shell:',
      '',
      `export SWITCHYARD=${base}`,
      `export KEY=${demo.api_key}`,
      `export PUBLISHABLE_KEY=${demo.publishable_key}`,
      adminKey === null ? 'export ADMIN_KEY=…   # the key that you have set' : `export ADMIN_KEY=${adminKey}`,
      '',
      'Or create a first payment:',
      '',
      `curl -s ${base}/payments -H 'content-type: application/json' -H 'api-key: ${demo.api_key}' -d '${JSON.stringify(payment)}'`,
    )
  }
  return `\n${lines.join('\n')}\n\nCtrl-C stops it.\n\n`
}

export function help(): string {
  return `npm start: starts Switchyard, a payment orchestration service, with everything it needs.

It starts PostgreSQL (unless DATABASE_URL names one), the sandbox processor (unless MODE=live or SANDBOX=off) and the
service; on the first start in test mode it creates a demo merchant and prints its keys. Ctrl-C stops everything in order.

Settings are environment variables. Launcher settings:

${table(groups.own)}

Service settings:

${table(groups.ofService)}
`
}

function table(settings: readonly Setting[]): string {
  const rows = settings.map(({ name, default: usual, description }) => [name, String(usual ?? ''), description] as const)
  const width = (column: 0 | 1) => Math.min(36, Math.max(...rows.map(row => row[column].length)))
  return rows.map(([name, usual, description]) => `  ${name.padEnd(width(0))}  ${usual.padEnd(width(1))}  ${description}`).join('\n')
}
