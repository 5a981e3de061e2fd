// `npm run demo:data`: fills the demo merchant of a running `npm start` with a month of realistic payments at the
// sandbox: routing rules that choose among several processors, retries, and `POST /sample_data`. Running the command
// again adds more payments. `-- --payments 5000 --days 60` sets the number of payments and days.
import './help.mjs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Misconfigured } from '../src/base/misconfigured.ts'
import { ask } from './ask.ts'
import { projectDir } from './binaries.ts'
import type { Demo } from './demo.ts'
import { readKept } from './keep.ts'
import { openProgress } from './progress.ts'

const LOOK_EVERY_MS = 250

const say = (message: string) => process.stdout.write(`${message}\n`)

type Call = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>

function openCall({ base, api_key }: Pick<Demo, 'base' | 'api_key'>): Call {
  return async (method, path, body) => {
    const answer = await ask(method, `${base}${path}`, { 'api-key': api_key }, body)
    if (answer.status >= 200 && answer.status < 300) return answer.body as Record<string, unknown>
    throw new Misconfigured(`${method} ${path} returned ${answer.status} ${JSON.stringify(answer.body)}`)
  }
}

/** The routing rules of a shop with several processors: by currency and network, the rest split. */
const rules = {
  type: 'advanced',
  data: {
    defaultSelection: {
      type: 'volume_split',
      data: [
        { connector: { connector: 'adyen' }, split: 45 },
        { connector: { connector: 'stripe' }, split: 35 },
        { connector: { connector: 'phonypay' }, split: 20 },
      ],
    },
    rules: [
      {
        name: 'american express',
        connectorSelection: { type: 'priority', data: [{ connector: 'adyen' }, { connector: 'stripe' }] },
        statements: [
          { condition: [{ lhs: 'card_network', comparison: 'equal', value: { type: 'enum_variant', value: 'AmericanExpress' } }] },
        ],
      },
      {
        name: 'dollars',
        connectorSelection: { type: 'priority', data: [{ connector: 'stripe' }, { connector: 'adyen' }, { connector: 'phonypay' }] },
        statements: [{ condition: [{ lhs: 'currency', comparison: 'equal', value: { type: 'enum_variant', value: 'USD' } }] }],
      },
    ],
    metadata: {},
  },
}

/** Sets routing rules and retries for the profile, unless its owner has made rules. */
async function openRouting(call: Call, { merchant_id, profile_id }: Demo): Promise<void> {
  await call('POST', `/account/${merchant_id}/business_profile/${profile_id}`, {
    is_auto_retries_enabled: true,
    max_auto_retries_enabled: 2,
  })
  const active = (await call('GET', `/routing/active?profile_id=${profile_id}`)) as unknown as unknown[]
  if (active.length > 0) return
  const { id } = await call('POST', '/routing', { name: 'demo rules', description: 'Rules of the demo shop', profile_id, algorithm: rules })
  await call('POST', `/routing/${id}/activate`, {})
}

const sandboxKeys = ['sandbox_demo_stripe', 'sandbox_demo_adyen', 'sandbox_demo']

/** Makes an account decline a payment from time to time, so that another account takes the payment. */
async function declineNow({ sandbox }: Demo, n: number): Promise<void> {
  if (!sandbox) return
  const key = sandboxKeys[n % sandboxKeys.length]!
  const fault = { call: 'authorize', fault: 'decline', times: 3 }
  await ask('POST', `${sandbox}/control/faults`, { authorization: `Bearer ${key}` }, fault).catch(() => {})
}

/** Takes back the declines that no payment has used: later payments of the demo merchant are not declined by them. */
async function declineNoMore({ sandbox }: Demo): Promise<void> {
  if (!sandbox) return
  for (const key of sandboxKeys)
    await ask('DELETE', `${sandbox}/control/faults`, { authorization: `Bearer ${key}` }).catch((error: Error) =>
      process.stderr.write(`declines may be left at the sandbox account ${key}: ${error.message}\n`),
    )
}

/** Whether the command was interrupted. It then ends after taking back its declines; the service goes on. */
let isStopped = false
process.once('SIGINT', () => {
  isStopped = true
})

async function untilMade(call: Call, demo: Demo, job_id: unknown, payments: number): Promise<number | null> {
  const progress = openProgress('payments', payments)
  for (let n = 0; !isStopped; n++) {
    const { status, made, refused } = (await call('GET', `/sample_data/${job_id}`)) as { status: string; made: number; refused: number }
    progress(made + refused)
    if (status === 'completed') return made
    if (made > 0) await declineNow(demo, n)
    await wait(LOOK_EVERY_MS)
  }
  return null
}

try {
  const { values } = parseArgs({ options: { payments: { type: 'string', default: '1000' }, days: { type: 'string', default: '30' } } })
  const notes = join(process.env.SWITCHYARD_DATA || join(projectDir, 'data'), 'demo.json')
  const demo = readKept<Demo>(notes) as Demo
  if (!demo.base || !demo.api_key)
    throw new Misconfigured(`${notes} does not name a demo merchant: run npm start first, and leave it running`)
  const call = openCall(demo)
  await call('GET', '/health').catch(() => {
    throw new Misconfigured(`nothing answers at ${demo.base}: run npm start in another terminal, and leave it running`)
  })
  await openRouting(call, demo)
  const payments = Number(values.payments)
  const began = performance.now()
  const { job_id } = await call('POST', '/sample_data', { payments, days: Number(values.days) })
  const made = await untilMade(call, demo, job_id, payments).finally(() => declineNoMore(demo))
  if (made !== null) say(`Created ${made} payments in ${Math.round((performance.now() - began) / 1000)} s. See ${demo.base}/dashboard`)
  else process.exitCode = 130
} catch (error) {
  process.stderr.write(`demo data could not be created: ${(error as Error).message}\n`)
  process.exitCode = 2
}
