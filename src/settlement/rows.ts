import { hash } from 'node:crypto'
import { DAY_MS, dayOf, later } from '../base/time.ts'
import type { Time } from '../context.ts'
import { addEntries, countsInBatch, countsInFigures, type Entries, isPaidOut, withoutZeros } from './entries.ts'
import { movedAmount } from './identity.ts'
import type { SettlementLine, UnreadLine } from './line.ts'
import type { LineDecision } from './match.ts'
import type { Changed, Placed } from './place.ts'
import type { SettledAccount, SettlementDifference } from './tables.ts'

/** An id that follows from what it is the id of: written again, it is the same object. */
export const derivedId = (prefix: string, ...parts: readonly (string | number)[]): string =>
  prefix + hash('sha256', parts.join('\u0000'), 'hex').slice(0, 26)

/** The day in whose books a line is: that on which it was booked, or the first one that is not closed. */
export function openDay(booked: Time, closed_through: string | null): string {
  const day = dayOf(booked)
  return closed_through === null || day > closed_through ? day : dayOf(later(`${closed_through}T00:00:00.000Z`, DAY_MS))
}

type Decided = Placed & { decision: LineDecision }

/** Sums of one chunk of a report: what its matched lines move by day and currency, and what it has of each payout. */
export function sumsOf(decided: readonly Decided[], now: Time, closed_through: string | null) {
  const days = new Map<
    string,
    { day: string; currency: string; lines: number; gross: number; fee: number; net: number; entries: Entries }
  >()
  const of = (day: string, currency: string) => {
    const key = `${day} ${currency}`
    const sum = days.get(key) ?? { day, currency, lines: 0, gross: 0, fee: 0, net: 0, entries: {} }
    days.set(key, sum)
    return sum
  }
  for (const { line, decision } of decided) {
    if (decision.is !== 'post') continue
    const day = openDay(line.booked_at ?? now, closed_through)
    addEntries(currency => of(day, currency).entries, line)
    const sum = of(day, line.currency)
    sum.lines++
    if (!countsInFigures(line)) continue
    sum.gross += line.gross
    sum.fee += line.fee
    sum.net += line.net
  }
  return [...days.values()].map(sum => ({ ...sum, entries: withoutZeros(sum.entries) }))
}

const latest = (a: Time | null, b: Time | null): Time | null => (a === null || (b !== null && b > a) ? b : a)

/** Sums up the lines of each payout of the processor. */
export function batchPartsOf(placed: readonly Placed[]) {
  type Part = {
    batch: string
    currency: string
    lines: number
    net: number
    stated: number | null
    paid_at: Time | null
    bank_reference: string | null
  }
  const parts = new Map<string, Part>()
  for (const { line } of placed) {
    const paidOut = isPaidOut(line)
    const batch = line.batch ?? (paidOut ? line.reference : null)
    if (batch === null || !(paidOut || countsInBatch(line))) continue
    const key = `${line.currency} ${batch}`
    let part = parts.get(key)
    if (!part) {
      part = { batch, currency: line.currency, lines: 0, net: 0, stated: null, paid_at: null, bank_reference: null }
      parts.set(key, part)
    }
    part.paid_at = latest(part.paid_at, line.paid_at ?? (paidOut ? line.booked_at : null))
    if (paidOut) {
      part.stated = (part.stated ?? 0) - line.gross
      part.bank_reference ??= line.object_reference
    } else {
      part.lines++
      part.net += line.net
    }
  }
  return [...parts.values()]
}

/** A line as it is stored, without the columns of its file. */
export const storedLine = ({ line, identity, n }: Placed, chunk: number, of: { subject_id: string | null; moved: string | null }) => ({
  ...{ identity, n, chunk, at: line.at, type: line.type, currency: line.currency },
  ...{ gross: line.gross, fee: line.fee, net: line.net },
  ...{
    original_amount: line.original?.amount ?? null,
    original_currency: line.original?.currency ?? null,
    rate: line.original?.rate ?? null,
  },
  ...{ booked_at: line.booked_at, paid_at: line.paid_at, batch: line.batch, description: line.description },
  ...{ request_id: line.request_id, reference: line.reference },
  ...{ object_reference: line.object_reference, payment_reference: line.payment_reference },
  ...{ subject_id: of.subject_id, moved: of.moved },
})

const nothing: Omit<SettlementDifference, 'merchant_id' | 'merchant_connector_id' | 'profile_id' | 'difference_id' | 'cause' | 'created'> =
  {
    ...{
      file_id: null,
      at: null,
      identity: null,
      n: null,
      type: null,
      request_id: null,
      reference: null,
      payment_reference: null,
      batch: null,
    },
    ...{
      subject_id: null,
      moved: null,
      currency: null,
      ours: null,
      ours_currency: null,
      theirs: null,
      fee: null,
      text: null,
      booked_at: null,
    },
    ...{ reason: null, resolved_by: null, resolved_at: null, day: null, posted_gross: null, posted_fee: null, posted_net: null },
    ...{ asked_at: null, version: 1, state: 'open' },
  }

type NewDifference = Pick<SettlementDifference, 'difference_id' | 'cause' | 'created'> & Partial<SettlementDifference>

export const newDifference = (
  { merchant_id, merchant_connector_id, profile_id }: SettledAccount,
  its: NewDifference,
): SettlementDifference => ({
  ...nothing,
  ...{ merchant_id, merchant_connector_id, profile_id },
  ...its,
})

const named = (line: SettlementLine) => {
  const { type, request_id, reference, payment_reference, batch, currency, fee, booked_at, at } = line
  return { type, request_id, reference: line.object_reference ?? reference, payment_reference, batch, currency, fee, booked_at, at }
}

/** The difference of a line that is stored and not posted. There is one of each line. */
export function differenceOfLine(
  account: SettledAccount,
  file_id: string,
  { line, identity, n, decision }: Decided,
  created: Time,
): SettlementDifference | null {
  if (decision.is !== 'open') return null
  const { is: _is, ...rest } = decision
  return newDifference(account, {
    ...{ difference_id: derivedId('dif_', account.merchant_connector_id, identity, n), created, file_id, identity, n },
    ...named(line),
    ...{ ...rest, theirs: line.original?.amount ?? line.gross, text: line.type === 'unknown' ? line.description : null },
  })
}

/** The difference of a line that says something else than before. The line itself is not stored. */
export function differenceOfChange(
  account: SettledAccount,
  file_id: string,
  { line, identity, n, cause, ours }: Changed,
  created: Time,
): SettlementDifference {
  const theirs = cause === 'fee_differs' ? line.fee : movedAmount(line)
  return newDifference(account, {
    difference_id: derivedId('dif_', account.merchant_connector_id, identity, n, cause, line.currency, theirs),
    ...{ created, file_id, cause, ours, ours_currency: line.currency, theirs },
    ...named(line),
  })
}

/** The difference of a line that cannot be read, once, however many reports have it. */
export const differenceOfUnread = (
  account: SettledAccount,
  file_id: string,
  { at, problem, text }: UnreadLine,
  created: Time,
): SettlementDifference =>
  newDifference(account, {
    difference_id: derivedId('dif_', account.merchant_connector_id, 'unreadable', text, problem),
    ...{ created, file_id, cause: 'unreadable', at, text: `${problem}: ${text}` },
  })
