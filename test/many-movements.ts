import { DAY_MS } from '../src/base/time.ts'
import type { Shop } from './shop.ts'

/** What moved at a shop's processor: so many payments, each by these amounts one day after the other. */
type Moved = { payments: number; amounts: readonly number[]; daysAgo: number }

/**
 * Writes what has moved, as the service leaves it, by SQL: as much by the interface would take hours. A payment moves
 * by one request, by the first amount of the days before another one, and a millisecond after the payment before it.
 */
export async function writeMovements({ query, service, merchant_id, merchant_connector_id }: Shop, { payments, amounts, daysAgo }: Moved) {
  const [{ profile_id }] = (await query('select profile_id from connector_accounts where merchant_id = $1', [merchant_id])) as [
    { profile_id: string },
  ]
  const first = Date.parse(service.context.now()) - daysAgo * DAY_MS
  await query(
    `insert into changes (created, version, sequence, merchant_id, object_id, kind, event_id, type, announces, by, was, posted)
      select to_timestamp(ms / 1000.0), v, v, $1, 'pay_' || lpad(i::text, 26, '0'), 'payment', 'evt_' || lpad(to_hex(ms), 12, '0') || lpad(to_hex(i), 20, '0'), 'captured', null, 'service', '{}',
          json_build_object('request_id', 'req_' || i, 'profile_id', $3::text, 'merchant_connector_id', $2::text, 'currency', 'USD', 'entries', json_build_object('processor', amount, 'sales', -amount))
        from unnest($4::bigint[]) with ordinality a (amount, v) cross join generate_series(1, $5::int) i
          cross join lateral (select $6::bigint + i + (v - 1) * ${DAY_MS} as ms) at`,
    [merchant_id, merchant_connector_id, profile_id, amounts, payments, first],
  )
  const sum = amounts.reduce((all, amount) => all + amount, 0) * payments
  await query(
    `insert into ledger_balances (merchant_id, profile_id, merchant_connector_id, currency, account, debit, credit)
      values ($1, $3, $2, 'USD', 'processor', $4, 0), ($1, $3, $2, 'USD', 'sales', 0, $4)`,
    [merchant_id, merchant_connector_id, profile_id, sum],
  )
  await query('analyze changes')
}
