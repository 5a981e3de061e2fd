import { rowStatement, statement } from '../database/statement.ts'
import { bytes, select, table, text, time } from '../database/table.ts'
import type { Time, World } from '../world.ts'
import { type Payment, payments } from './payment.ts'

/** The name of a security code in the vault. */
export const waitingName = (payment_id: string): string => `cvc ${payment_id}`

/** Security codes that wait for a confirm, at most 15 minutes. */
export const waitingCvcs = table('waiting_cvcs', {
  secret: true,
  key: ['merchant_id', 'payment_id'],
  columns: { merchant_id: text(), payment_id: text(), sealed: bytes(row => waitingName(String(row.payment_id))), expires_at: time() },
})

const byId = rowStatement('payment_by_id', payments, 'where merchant_id = $1 and payment_id = $2')

type Reads = Pick<World, 'query'>

/** The payment, or undefined: a foreign one is as absent as a missing one, by the same query. */
export const findPayment = async (world: Reads, merchant_id: string, payment_id: string): Promise<Payment | undefined> =>
  (await world.query<Payment>(byId, [merchant_id, payment_id]))[0]

const byIds = statement('payments_by_ids', select(payments, 'where merchant_id = $1 and payment_id = any($2)'))

/** Those of these that are there, in no order. */
export const findPayments = (world: Reads, merchant_id: string, payment_ids: readonly string[]): Promise<Payment[]> =>
  world.query<Payment>(byIds, [merchant_id, payment_ids])

export const storedCardOf = statement(
  'stored_card',
  `select v.sealed, c.sealed as cvc, c.expires_at from vault_records v left join waiting_cvcs c on c.merchant_id = v.merchant_id and c.payment_id = $3
    where v.merchant_id = $1 and v.record = $2`,
)

/** What is sealed under `record`, and the sealed security code that waits for this payment, if one does. */
export const findSealed = async (
  world: Reads,
  { merchant_id, payment_id }: Pick<Payment, 'merchant_id' | 'payment_id'>,
  record: string,
): Promise<{ sealed: Buffer; cvc: Buffer | null; expires_at: Time | null } | undefined> =>
  (await world.query<{ sealed: Buffer; cvc: Buffer | null; expires_at: Time | null }>(storedCardOf, [merchant_id, record, payment_id]))[0]
