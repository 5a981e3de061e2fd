// The two statements of a payment, exactly as the service writes them: taken from a payment that the service makes in
// this process.
import { randomBytes } from 'node:crypto'
import { request } from 'undici'
import type { Config } from '../src/config.ts'
import type { Change } from '../src/context.ts'
import { openStatements, type WrittenChange } from '../src/database/statements.ts'
import { start } from '../src/service.ts'
import { purchase } from './body.ts'
import { openMerchant } from './merchant.ts'

/** A statement with its values in that payment, and the values that must differ between payments. */
export type Sample = { text: string; values: unknown[]; unique: Unique }
export type Unique = { payment_id: string; request_id: string; event_id: string }

/** Makes one payment on this database and returns its begin and settle statements. */
export async function sampleStatements(config: Config): Promise<{ begin: Sample; settle: Sample }> {
  const changes: Change[] = []
  const silent = { info() {}, warn() {}, error() {} }
  const service = await start(config, {
    scheduler: 'by hand',
    log: silent,
    wrap: context => ({
      ...context,
      commit: change => {
        if (change.head === 'payments') changes.push(change)
        return context.commit(change)
      },
    }),
  })
  try {
    const key = await openMerchant(service.url, config.adminKey, 'limit')
    const answer = await request(`${service.url}/payments`, {
      method: 'POST',
      headers: { 'api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ ...purchase, confirm: true }),
    })
    const payment = (await answer.body.json()) as { status?: string }
    if (payment.status !== 'succeeded') throw new Error(`The sample payment did not succeed: ${JSON.stringify(payment)}`)
  } finally {
    await service.close()
  }
  const [begin, settle, ...more] = changes
  if (!begin || !settle || more.length > 0) throw new Error(`A payment took ${changes.length} changes instead of two`)
  const statements = openStatements(() => '')
  // The listing kinds are marked as written, because they exist since the first payment of the day.
  for (const change of [begin, settle]) statements.of(change, '', '').written()
  const sample = (change: Change): Sample => {
    const event_id = `evt_${randomBytes(16).toString('hex')}`
    const written: WrittenChange = statements.of(change, event_id, new Date().toISOString())
    const { payment_id, authorization_request_id } = change.after as { payment_id: string; authorization_request_id: string }
    return { text: written.statement.text, values: written.values, unique: { payment_id, request_id: authorization_request_id, event_id } }
  }
  return { begin: sample(begin), settle: sample(settle) }
}
