import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import { statement } from '../database/statement.ts'
import { type Method, methodRecord, paymentMethods } from './method.ts'

const withNumber = statement(
  'payment_method_with_number',
  `select ${paymentMethods.names.map(name => `m.${name}`).join(', ')}, v.sealed from payment_methods m
    left join vault_records v on v.merchant_id = $1 and v.record = 'method ' || m.payment_method_id where m.merchant_id = $1 and m.payment_method_id = $2`,
)

/** With one query; the number is null if none is stored. */
export async function needWithNumber(
  context: Pick<Context, 'query' | 'numbers'>,
  merchant_id: string,
  payment_method_id: string,
): Promise<{ method: Method; number: string | null }> {
  const [row] = await context.query<Method & { sealed: Buffer | null }>(withNumber, [merchant_id, payment_method_id])
  if (!row) return refuse('not_found', { what: 'payment method' })
  const { sealed, ...method } = row
  return { method, number: sealed && (await context.numbers.read(merchant_id, methodRecord(method), sealed)) }
}
