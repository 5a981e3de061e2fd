import { batchedLookup } from '../base/batched-lookup.ts'
import type { Context, Time } from '../context.ts'
import { openUses, type Use } from '../database/last-uses.ts'
import { statement, textStatement } from '../database/statement.ts'
import { timeFromJson } from '../database/table.ts'
import type { Method } from './method.ts'

/** There are no others, because each is read for every payment. */
export type SavedCard = Pick<
  Method,
  'merchant_id' | 'payment_method_id' | 'customer_id' | 'status' | 'fingerprint' | 'masked' | 'recipient' | 'payment_method'
>
/** `sealed`: the card's number, as the vault stores it. */
export type ByToken = SavedCard & { sealed: Buffer | null }

/** Of tokens in one query. A token that contains it is looked up in pieces, and not found. */
const BETWEEN = ','

/**
 * Each row is one text, read over the express lane (`database/lookups.ts`): columns from the pool cost four times as
 * much. A test ensures that indexes are used. (With the expiry as a condition, a token would be searched among all that
 * have not expired.)
 */
export const savedCardsByToken = textStatement(
  'saved_cards_by_token',
  `select json_build_array(t.token, t.expires_at, m.merchant_id, m.payment_method_id, m.customer_id, m.status, m.fingerprint, m.masked, m.recipient, m.payment_method, encode(v.sealed, 'hex'))::text as row
    from payment_tokens t
    join payment_methods m on m.merchant_id = $1 and m.payment_method_id = t.payment_method_id
    left join vault_records v on v.merchant_id = $1 and v.record = 'method ' || m.payment_method_id
    where t.merchant_id = $1 and t.token = any(string_to_array($2, '${BETWEEN}'))`,
  readByToken,
)

function readByToken(row: string): ByToken & { token: string; expires_at: Time } {
  const [token, expires_at, merchant_id, payment_method_id, customer_id, status, fingerprint, masked, recipient, payment_method, sealed] =
    JSON.parse(row)
  return {
    token,
    expires_at: timeFromJson(expires_at),
    merchant_id,
    payment_method_id,
    customer_id,
    status,
    fingerprint,
    masked,
    recipient,
    payment_method,
    sealed: sealed && Buffer.from(sealed, 'hex'),
  }
}

const use = statement(
  'use_payment_methods',
  `update payment_methods m set last_used_at = u.used_at from unnest($2::text[], $3::timestamptz[]) as u (id, used_at)
    where m.merchant_id = $1 and m.payment_method_id = u.id and m.last_used_at < u.used_at`,
)

/** Tokens of concurrent requests are looked up together, and times of use are written now and then. */
export function openSavedCards(context: Pick<Context, 'query' | 'now'>) {
  const find = batchedLookup<ByToken>(async (merchant_id, tokens) => {
    const rows = await context.query<ByToken & { token: string; expires_at: Time }>(savedCardsByToken, [merchant_id, tokens.join(BETWEEN)])
    const now = context.now()
    return new Map(rows.filter(row => row.expires_at > now).map(row => [row.token, row]))
  })

  async function write(uses: readonly Use[]): Promise<void> {
    for (const [merchant_id, its] of Map.groupBy(uses, one => one.merchant_id))
      await context.query(use, [merchant_id, its.map(one => one.id), its.map(one => one.used_at)])
  }
  const uses = openUses(context.now, write, 0)

  return {
    /** Undefined: unknown or expired. */
    find,
    /** The card is then listed before those that were used earlier. */
    used: ({ merchant_id, payment_method_id }: Pick<Method, 'merchant_id' | 'payment_method_id'>): void =>
      uses.note(merchant_id, payment_method_id, context.now()),
    writeDown: (): Promise<void> => uses.writeDown('now'),
  }
}
export type SavedCards = ReturnType<typeof openSavedCards>
