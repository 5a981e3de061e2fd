import { deepEqual } from 'node:assert/strict'
import { prove } from '../../src/ledger/prove.ts'
import { openReport } from '../../src/settlement/readers/read-report.ts'
import type { SettlementFile } from '../../src/settlement/tables.ts'
import fc from '../fast-check.ts'
import { outsideTraits } from '../processors/outside-traits.ts'
import { balances, differencesOf, takeLines } from '../settlement.ts'
import { type Body, openShop, type Shop } from '../shop.ts'
import { type Form, forms, written } from './forms.ts'
import type { MonthWriter, Movement } from './month.ts'
import { monthWriters } from './month-writers.ts'
import { inPieces } from './read.ts'

/**
 * Months of every vendor's report, in files that overlap, come again, are saved in other forms, sorted
 * otherwise and lack movements that a later file has: the ledger ends as the month is, by hand.
 */

/** `refund`: of a sale, in per cent. `own`: fees of the processor, of which there are `times` true ones. */
const months = fc.record({
  sales: fc.array(
    fc.record({
      // Checkout.com declines amounts that end with 05, 51 or 54.
      amount: fc.integer({ min: 50, max: 500 }).map(tens => tens * 10),
      currency: fc.constantFrom('EUR' as const, 'USD' as const),
      refund: fc.constantFrom(0, 0, 30, 100),
      batch: fc.constantFrom(1 as const, 2 as const),
    }),
    { minLength: 2, maxLength: 4 },
  ),
  own: fc.array(
    fc.record({
      fee: fc.integer({ min: 1, max: 99 }),
      times: fc.integer({ min: 1, max: 3 }),
      batch: fc.constantFrom(1 as const, 2 as const),
    }),
    { maxLength: 2 },
  ),
  /** Of each file: which movements it has, in which order, and its form. */
  files: fc.array(fc.record({ chosen: fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }), seed: fc.nat(1000), form: forms }), {
    minLength: 2,
    maxLength: 4,
  }),
})
type Month = typeof months extends fc.Arbitrary<infer M> ? M : never

const feeOf = (amount: number): number => Math.round(amount * 0.014) + 10

/** Sells what the month has, at the processor's dialect, and gives its movements by the processor's own names. */
async function sell(shop: Shop, { connector, fees }: MonthWriter, { sales }: Month): Promise<Movement[]> {
  const { pay = {}, paid = async (_: Shop, begun: Body) => begun, slow = '1 minute' } = outsideTraits[connector]!
  const payments: Body[] = []
  for (const { amount, currency } of sales) payments.push(await paid(shop, await shop.pay({ ...pay, amount, currency })))
  await shop.wait(slow)
  const movements: Movement[] = []
  for (const [i, { amount, refund }] of sales.entries()) {
    const { payment_id } = payments[i]!
    if (refund > 0) await shop.refund(payment_id, Math.floor((amount * refund) / 100))
  }
  await shop.wait(slow)
  for (const [i, { amount, currency, batch }] of sales.entries()) {
    const { payment_id } = payments[i]!
    const { connector_transaction_id: payment, refunds, status, error_message } = await shop.sync(payment_id)
    const operations: Body[] = (await shop.call('GET', `/payments/${payment_id}/operations`)).body.data
    const requestOf = (verb: string): string => operations.find(one => one.verb === verb)?.request_id ?? ''
    deepEqual([status, error_message], ['succeeded', null], `${connector}: ${amount} ${currency}`)
    const common = { payment, currency, batch }
    movements.push({ ...common, is: 'sale', id: payment, request_id: requestOf('authorize'), gross: amount, fee: fees ? feeOf(amount) : 0 })
    for (const one of refunds ?? [])
      movements.push({ ...common, is: 'refund', id: one.connector_refund_id, request_id: requestOf('refund'), gross: -one.amount, fee: 0 })
  }
  return movements
}

/** Groups of movements that stand together in a report: those that nothing tells apart do. */
function groupsOf(sold: readonly Movement[], { own, same }: MonthWriter, month: Month): Movement[][] {
  const fees = (own ? month.own : []).flatMap(({ fee, times, batch }, i): Movement[][] => {
    const of = (n: number): Movement => ({
      ...{ is: 'fee', id: `own_${i}_${n}`, payment: '', request_id: '', currency: 'EUR', gross: 0, fee, batch },
    })
    const all = Array.from({ length: times }, (_, n) => of(n))
    return same ? [all] : all.map(one => [one])
  })
  const alike = Map.groupBy(fees, ([first]) => (same ? `${first!.fee} ${first!.batch}` : first!.id))
  return [...sold.map(one => [one]), ...[...alike.values()].map(groups => groups.flat())]
}

/**
 * What the books must hold once these movements are settled; `paidOut`: whether a movement's batch has left for
 * the bank.
 */
function expected(sales: Record<string, number>, movements: readonly Movement[], paidOut: (one: Movement) => boolean) {
  const sums = { processor: 0, fees: 0, settled: 0, in_transit: 0, ...sales }
  for (const one of movements) {
    sums.processor -= one.gross
    sums.fees += one.fee
    sums[paidOut(one) ? 'in_transit' : 'settled'] += one.gross - one.fee
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))
}

const bytesOf = ({ plain }: MonthWriter, rows: readonly (readonly string[])[], form: Form): Buffer =>
  plain ? Buffer.from(rows.map(([document]) => `${document}\n`).join('')) : written(rows, form)

const usual: Form = { separator: ',', end: '\n', encoding: 'utf8', quotes: false }

/** The month of one report, read from its bytes through the database. */
async function settlesOnce(name: string, month: Month): Promise<void> {
  const writer = monthWriters[name]!
  const shop = await openShop({ connector: writer.connector, webhooks: 'on' })
  const groups = groupsOf(await sell(shop, writer, month), writer, month)
  const sales = await balances(shop)
  const all = groups.flat()
  const read = new Set<Movement>()
  const whole = new Set<Movement['batch']>()
  const take = async (movements: readonly Movement[], form: Form, piece?: number): Promise<SettlementFile> => {
    const has = ([1, 2] as const).filter(batch => all.every(one => one.batch !== batch || movements.includes(one)))
    for (const one of movements) read.add(one)
    for (const batch of has) if (writer.pays === 'whole') whole.add(batch)
    const bytes = bytesOf(writer, writer.rows({ movements, whole: has }), form)
    const { reader, lines } = await openReport(inPieces(bytes, piece), { connector: writer.connector })
    deepEqual(reader?.name, name)
    const file = await takeLines(shop, lines)
    deepEqual([file.counts!.unread, file.counts!.open], [0, 0], JSON.stringify(await differencesOf(shop)))
    return file
  }
  const netOf = (batch: Movement['batch'], currency: string): number =>
    all.filter(one => one.batch === batch && one.currency === currency).reduce((sum, one) => sum + one.gross - one.fee, 0)
  const paidOut = ({ batch, currency }: Movement): boolean => writer.pays === 'always' || (whole.has(batch) && netOf(batch, currency) > 0)
  const isAsExpected = async () => deepEqual(await balances(shop), expected(sales, [...read], paidOut), name)

  for (const { chosen, seed, form } of month.files) {
    const some = groups.filter((_, i) => chosen[i % chosen.length])
    if (some.length === 0) continue
    const sorted = some.map((group, i) => ({ group, at: (i * 31 + seed) % 17 })).sort((a, b) => a.at - b.at)
    await take(
      sorted.flatMap(({ group }) => group),
      form,
      1 + seed * 7,
    )
    await isAsExpected()
  }
  await take(all, usual)
  await isAsExpected()
  for (const form of month.files.map(file => file.form)) {
    const { counts } = await take(groups.toReversed().flat(), form)
    deepEqual([counts!.matched, counts!.known], [0, counts!.lines])
    await isAsExpected()
  }
  deepEqual((await balances(shop)).processor ?? 0, 0)
  deepEqual(
    (await differencesOf(shop)).filter(({ state }) => state === 'open'),
    [],
  )
  deepEqual(await prove(shop.service.context, shop.merchant_id), [])
}

/** Tries so many months of a report. */
export const monthsSettleOnce = (name: string, numRuns: number, seed: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(months, month => settlesOnce(name, month)),
    { numRuns, seed, endOnFailure: true },
  )
