import { randomAlphanumeric } from '../base/id.ts'
import { later } from '../base/time.ts'
import type { Context } from '../context.ts'
import { forgotten } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { table, text, time } from '../database/table.ts'
import type { Method } from './method.ts'

/** Each stands for a saved payment method in a checkout, for 15 minutes. Every list creates new ones. No history. */
const paymentTokens = table('payment_tokens', {
  key: ['merchant_id', 'token'],
  columns: { merchant_id: text(), token: text(), customer_id: text(), payment_method_id: text(), expires_at: time() },
})

export const expiredTokens = forgotten(paymentTokens, 'expires_at')

const LASTS_MS = 15 * 60_000

const insert = statement(
  'insert_payment_tokens',
  `insert into payment_tokens (merchant_id, customer_id, expires_at, token, payment_method_id)
    select saved.merchant_id, saved.customer_id, $2, made.token, saved.payment_method_id
    from unnest($3::text[], $4::text[]) as made (token, payment_method_id)
      join payment_methods saved on saved.payment_method_id = made.payment_method_id where saved.merchant_id = $1`,
)
/** In the order of the methods, which belong to one customer. */
export async function makeTokens(context: Context, methods: readonly Method[]): Promise<string[]> {
  const [first] = methods
  if (!first) return []
  const tokens = methods.map(() => `token_${randomAlphanumeric(context, 20)}`)
  const ids = methods.map(({ payment_method_id }) => payment_method_id)
  await context.query(insert, [first.merchant_id, later(context.now(), LASTS_MS), tokens, ids])
  return tokens
}
