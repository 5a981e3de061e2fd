import { type Currency, isCurrency } from '../../base/currencies.ts'
import type { ReportRow, SettlementLine, SettlementReader } from '../line.ts'
import { readReportAmount } from './amounts.ts'
import { documentIn, documentsOf, memberText } from './documents.ts'
import { attempt, blank, Problem, type Read, shown, unread } from './kit.ts'
import { readReportTime } from './times.ts'

type Document = Record<string, unknown>

/** An amount of Mollie's API: up to four decimals in costs. */
function moneyIn(document: Document, name: string): { amount: number; rest: number; currency: Currency } | null {
  const given = documentIn(document[name])
  if (given === null) return null
  const [value, currency] = [memberText(given, 'value'), memberText(given, 'currency')]
  if (value === null || currency === null || !isCurrency(currency)) throw new Problem(`has no valid ${name}`)
  const read = readReportAmount(value, currency)
  if (read === null) throw new Problem(`${shown(value)} is not an amount in ${currency}`)
  return { ...read, currency }
}

/** A settlement, known while its lists are read. */
type Settlement = { id: string; batch: string; paid_at: string | null; amount: { amount: number; currency: Currency } | null }

function settlementIn(document: Document): Settlement {
  const [id, reference] = [memberText(document, 'id'), memberText(document, 'reference')]
  if (id === null) throw new Problem('has no id')
  return {
    id,
    batch: reference ?? id,
    paid_at: readReportTime(memberText(document, 'settledAt') ?? ''),
    amount: moneyIn(document, 'amount'),
  }
}

/** Fractions of cents that amounts of costs have left, in 10^-8. */
const FINE = 100_000_000

/** All costs of all periods, as one fee. */
function* costsOf(at: number, document: Document, { batch, paid_at }: Settlement): Generator<SettlementLine> {
  const sums = new Map<Currency, { amount: number; rest: number }>()
  for (const year of Object.values(documentIn(document.periods) ?? {}))
    for (const month of Object.values(documentIn(year) ?? {}))
      for (const cost of documentsOf(documentIn(month)?.costs)) {
        const money = moneyIn(cost, 'amountGross')
        if (money === null) continue
        const sum = sums.get(money.currency) ?? { amount: 0, rest: 0 }
        sums.set(money.currency, { amount: sum.amount + money.amount, rest: sum.rest + money.rest })
      }
  for (const [currency, { amount, rest }] of sums) {
    const fee = amount + Math.round(rest / FINE)
    if (fee === 0) continue
    const names = { reference: `${batch}/fees`, batch, description: 'Fees of the settlement' }
    yield { ...blank(at, 'fee', currency), ...names, fee, net: 0 - fee, booked_at: paid_at, paid_at }
  }
}

/** The payout that arrives at the bank, with the settlement's reference. */
function payoutOf(at: number, { batch, paid_at, amount }: Settlement): SettlementLine[] {
  if (amount === null || amount.amount === 0 || paid_at === null) return []
  const gross = -amount.amount
  const names = { reference: batch, object_reference: batch, batch }
  return [{ ...blank(at, 'payout', amount.currency), ...names, gross, net: gross, booked_at: paid_at, paid_at }]
}

const types = { payment: 'charge', capture: 'charge', refund: 'refund', chargeback: 'chargeback' } as const

/** Null: what moves no balance of this settlement. */
function lineOf(at: number, resource: keyof typeof types, document: Document, settlement: Settlement | null): SettlementLine | null {
  const id = memberText(document, 'id')
  if (id === null) throw new Problem('has no id')
  if (/^(?:failed|canceled|expired|open)$/.test(memberText(document, 'status') ?? '')) return null
  const [before, settled] = [moneyIn(document, 'amount'), moneyIn(document, 'settlementAmount')]
  const money = settled ?? before
  if (money === null) throw new Problem('has no amount')
  // Refunds and chargebacks are negative once they are settled; what came back is positive.
  const sign = settled !== null ? Math.sign(settled.amount) : types[resource] === 'charge' ? 1 : -1
  const gross = sign * Math.abs(money.amount)
  const type =
    resource === 'refund' && gross > 0 ? 'refund_failure' : resource === 'chargeback' && gross > 0 ? 'chargeback_reversal' : types[resource]
  const payment = resource === 'payment' ? id : memberText(document, 'paymentId')
  const isConverted = before !== null && before.currency !== money.currency && before.amount !== 0
  return {
    ...blank(at, type, money.currency),
    request_id: memberText(documentIn(document.metadata), 'request_id'),
    reference: id,
    // A dispute is known by its payment and its own id.
    object_reference: resource === 'chargeback' && payment !== null ? `${payment}/${id}` : id,
    payment_reference: payment,
    batch: settlement?.batch ?? memberText(document, 'settlementId'),
    gross,
    net: gross,
    original: isConverted ? { amount: sign * Math.abs(before.amount), currency: before.currency, rate: null } : null,
    booked_at: readReportTime(memberText(document, 'paidAt') ?? memberText(document, 'createdAt') ?? ''),
    paid_at: settlement?.paid_at ?? null,
    description: memberText(document, 'description'),
  }
}

/** Documents of one row: a settlement, a list, or one object. */
function* objectsOf(document: Document): Generator<Document> {
  const lists = documentIn(document._embedded)
  const isList = memberText(document, 'resource') === null && lists !== null
  if (!isList) yield document
  else for (const list of Object.values(lists)) yield* documentsOf(list)
}

class Reading {
  #settlement: Settlement | null = null
  /** Of payments that were captured by requests of their own, their captures are settled, if the lists have them. */
  readonly #held = new Map<string, SettlementLine>()
  readonly #captured = new Set<string>();

  *read(row: ReportRow): Generator<Read> {
    let parsed: unknown
    try {
      parsed = JSON.parse(row.fields[0]!)
    } catch {
      yield unread(row.at, 'is not JSON', row.fields)
      return
    }
    for (const document of Array.isArray(parsed) ? documentsOf(parsed) : documentsOf([parsed]))
      for (const object of objectsOf(document)) yield* this.#object(row.at, object)
  }

  *#object(at: number, object: Document): Generator<Read> {
    const resource = memberText(object, 'resource') ?? ''
    const row = { at, fields: [memberText(object, 'resource') ?? '', memberText(object, 'id') ?? ''] }
    if (resource === 'settlement') {
      yield* attemptAll(row, () => {
        this.#settlement = settlementIn(object)
        return [...costsOf(at, object, this.#settlement), ...payoutOf(at, this.#settlement)]
      })
    } else if (Object.hasOwn(types, resource)) {
      const line = attempt(row, () => lineOf(at, resource as keyof typeof types, object, this.#settlement))
      if (line === null) return
      if (resource === 'capture' && !('problem' in line) && line.payment_reference !== null) this.#captured.add(line.payment_reference)
      const wasHeld =
        resource === 'payment' && (memberText(object, 'captureMode') === 'manual' || memberText(object, 'authorizedAt') !== null)
      if (wasHeld && !('problem' in line)) this.#held.set(line.reference!, line)
      else yield line
    } else yield unread(at, `is of an unknown kind, ${shown(resource)}`, row.fields)
  }

  *end(): Generator<Read> {
    for (const [id, line] of this.#held) if (!this.#captured.has(id)) yield line
  }
}

/** Several lines of one object, or why it cannot be read. */
function attemptAll(row: ReportRow, read: () => SettlementLine[]): Read[] {
  try {
    return read()
  } catch (error) {
    if (error instanceof Problem) return [unread(row.at, error.message, row.fields)]
    throw error
  }
}

async function* read(rows: AsyncIterable<ReportRow>): AsyncGenerator<Read> {
  const reading = new Reading()
  for await (const row of rows) for (const line of reading.read(row)) yield line
  yield* reading.end()
}

/**
 * A settlement as Mollie's API gives it: the settlement, and the pages of its payments, captures, refunds and
 * chargebacks. docs.mollie.com/reference/get-settlement
 */
export const mollieApiSettlement: SettlementReader = {
  name: 'mollie_api_settlement',
  connector: 'mollie',
  title: 'Mollie: a settlement and its lists, as JSON of the API',
  matches: header => header.length === 1 && /^[{[]/.test(header[0]!) && /"(?:settlement|settlements|settlementId)"/.test(header[0]!),
  read,
}
