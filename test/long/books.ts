import { proveCounts } from '../../src/analytics/prove.ts'
import { uuidOf } from '../../src/connectors/kit/request.ts'
import { isUnlisted, kindOf, listedText } from '../../src/database/listing-kinds.ts'
import type { Table } from '../../src/database/table.ts'
import { disputes as disputesTable } from '../../src/disputes/dispute.ts'
import { type Fault, prove } from '../../src/ledger/prove.ts'
import { payments as paymentsTable } from '../../src/payments/payment.ts'
import { payouts as payoutsTable } from '../../src/payouts/payout.ts'
import { refunds as refundsTable } from '../../src/refunds/refund.ts'
import type { Ledger, Processor } from '../processor.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows and ledgers as they come
type Body = any
export type Query = (text: string, values: unknown[]) => Promise<Body[]>

/** Everything that is recorded of one merchant: the rows of the service, and the processor's ledger. */
export type Books = {
  payments: Map<string, Body>
  refunds: Map<string, Body>
  disputes: Map<string, Body>
  payouts: Map<string, Body>
  /** The operations by payment, in order. */
  operations: Map<string, Body[]>
  events: Map<string, Body[]>
  /**
   * The service's operations by request id, and the processor's operations by reference; a processor that forgets may
   * have several for one reference.
   */
  ours: Map<string, Body>
  remote: Map<string, Body[]>
  /** The processor's charges by the service's payment id. */
  charges: Map<string, Body[]>
  ledger: Ledger
  /** The contradictions in the service's own ledger. */
  faults: Fault[]
  /** The ids of objects that lists would not find, or would find in the wrong place. */
  misfiled: string[]
}

/**
 * Gives the ids of rows that are listed wrongly. Each row has one listing, of the kind that the row gives; a row that
 * is not listed yet has none.
 */
function misfiledIn({ listed, key }: Table, rows: readonly Body[], listings: ReadonlyMap<string, Body[]>): string[] {
  const id = key.at(-1)!
  const isFiled = (row: Body) => {
    const its = listings.get(row[id]) ?? []
    if (isUnlisted(listed, row)) return its.length === 0
    return its.length === 1 && Number(its[0].kind) === kindOf(listedText(listed!, row))
  }
  return rows.filter(row => !isFiled(row)).map(row => row[id])
}

/**
 * The processors that hold a merchant's money: the one that its payments use, the one that pays out, if that is
 * another account, and the others that its payments use.
 */
export type Accounts = {
  processor: Pick<Processor, 'ledger'>
  payer?: Pick<Processor, 'ledger'>
  others?: readonly Pick<Processor, 'ledger'>[]
}

async function ledgerOf({ processor, payer, others = [] }: Accounts): Promise<Ledger> {
  const all = await Promise.all([processor, ...(payer ? [payer] : []), ...others].map(one => one.ledger()))
  return {
    operations: all.flatMap(({ operations }) => operations),
    charges: all.flatMap(({ charges }) => charges),
    payouts: all.flatMap(({ payouts }) => payouts),
    disputes: all.flatMap(({ disputes }) => disputes),
    webhooks: all.flatMap(({ webhooks }) => webhooks),
  }
}

/**
 * Gives the keys that Mollie shows for the operations of a request id. Mollie shows the release of a hold under its
 * idempotency key, which is derived from our request id.
 */
const namesAtMollie = (id: string): [string, string][] => ['', REST].map(of => [uuidOf(id + of), id + of])

/**
 * The suffix of the key under which a last capture releases the rest of the hold, where a capture alone does not: this
 * release has no operation of its own.
 */
export const REST = '-rest'

export async function readBooks(query: Query, accounts: Accounts, merchant_id: string): Promise<Books> {
  const all = (table: string, order: string) => query(`select * from ${table} where merchant_id = $1 order by ${order}`, [merchant_id])
  const payments = await all('payments', 'payment_id')
  const refunds = await all('refunds', 'refund_id')
  const disputes = await all('disputes', 'dispute_id')
  const payouts = await all('payouts', 'payout_id')
  const operations = await all('processor_operations', 'object_id, n')
  const events = (await all('changes', 'kind, object_id, version')).filter(change => change.kind === 'payment')
  const ledger = await ledgerOf(accounts)
  const listings = Map.groupBy(await all('listings', 'object_id'), listing => listing.object_id as string)
  const edges: Parameters<typeof prove>[0] = { query: ({ text }, values) => query(text, values) as never }
  const counters = await proveCounts(edges, merchant_id)
  const ours = new Map(operations.map(operation => [operation.request_id, operation]))
  const named = new Map([...ours].flatMap(([id, { connector }]) => (connector === 'mollie' ? namesAtMollie(id) : [])))
  return {
    payments: new Map(payments.map(row => [row.payment_id, row])),
    refunds: new Map(refunds.map(row => [row.refund_id, row])),
    disputes: new Map(disputes.map(row => [row.dispute_id, row])),
    payouts: new Map(payouts.map(row => [row.payout_id, row])),
    operations: Map.groupBy(operations, operation => operation.object_id),
    events: Map.groupBy(events, event => event.object_id),
    ours,
    remote: Map.groupBy(ledger.operations, ({ reference }) => named.get(reference) ?? reference),
    charges: Map.groupBy(ledger.charges, charge => ours.get(charge.reference)?.object_id ?? 'nobody'),
    ledger,
    misfiled: [
      ...misfiledIn(paymentsTable, payments, listings),
      ...misfiledIn(refundsTable, refunds, listings),
      ...misfiledIn(disputesTable, disputes, listings),
      ...misfiledIn(payoutsTable, payouts, listings),
    ],
    faults: [
      ...(await prove(edges, merchant_id)),
      ...counters.map(({ at, message: text }) => ({ merchant_id, object_id: null, message: `${at}: ${text}` })),
    ],
  }
}
