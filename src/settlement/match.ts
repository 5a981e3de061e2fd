import type { Cause } from './causes.ts'
import { isOurs } from './entries.ts'
import type { SettlementLine, SettlementType } from './line.ts'

/** The kind of a movement, according to the ledger's entries. */
type MovementClass = 'sale' | 'refund' | 'dispute' | 'transfer'

/**
 * A movement of ours at a processor, by the ledger: what one request (or dispute: then `moved` is the processor's id)
 * of an object has moved there. `settled`: what lines that are posted have settled of it.
 */
export type LedgerMovement = {
  object_kind: string
  object_id: string
  moved: string
  class: MovementClass
  currency: string
  amount: number
  settled: number
}

/** The object of a name (our request id, or a processor's reference). `moved`: null if only the object is known. */
export type NamedObject = { object_id: string; moved: string | null }

export type Books = {
  named(name: string): readonly NamedObject[]
  /** The movements of an object at this account. */
  movements(object_id: string): readonly LedgerMovement[]
}

/** `post`: with what it settles. `open`: differs from ours, of which `ours` is what is not settled yet. */
export type LineDecision =
  | { is: 'post'; subject_id: string | null; moved: string | null }
  | { is: 'open'; cause: Cause; subject_id: string | null; moved: string | null; ours: number | null; ours_currency: string | null }

const classes: Partial<Record<SettlementType, MovementClass>> = {
  charge: 'sale',
  refund: 'refund',
  refund_failure: 'refund',
  chargeback: 'dispute',
  chargeback_reversal: 'dispute',
  transfer: 'transfer',
  transfer_failure: 'transfer',
}

/** In the currency in which it moved, before the processor converted it. */
export const movedMoney = ({ original, currency, gross }: Pick<SettlementLine, 'original' | 'currency' | 'gross'>) =>
  original ?? { currency, amount: gross }

export const lineNames = (line: Pick<SettlementLine, 'object_reference' | 'request_id' | 'reference' | 'payment_reference'>): string[] =>
  [line.object_reference, line.request_id, line.reference, line.payment_reference].filter(name => name !== null)

const left = ({ amount, settled }: LedgerMovement): number => amount - settled
const nameOf = ({ object_id, moved }: LedgerMovement): string => `${object_id} ${moved}`

/** The movement that a line settles: that of its names, else one of the same kind that fits. */
function movementOf(line: SettlementLine, named: readonly NamedObject[], movements: readonly LedgerMovement[]): LedgerMovement | undefined {
  const wanted = classes[line.type]
  const fit = movements.filter(one => one.class === wanted)
  const isNamed = ({ moved }: LedgerMovement) =>
    moved === line.object_reference || moved === line.request_id || moved === line.reference || named.some(one => one.moved === moved)
  const { amount, currency } = movedMoney(line)
  const isLeft = (one: LedgerMovement) => one.currency === currency && left(one) === amount
  // A refund may repeat only the payment's names, which are those of no refund.
  return fit.find(isNamed) ?? fit.find(isLeft) ?? fit.find(one => left(one) !== 0 && Math.sign(left(one)) === Math.sign(amount)) ?? fit[0]
}

const differs = (cause: Cause, movement: LedgerMovement): LineDecision => {
  const { object_id: subject_id, moved, currency } = movement
  return { is: 'open', cause, subject_id, moved, ours: cause === 'duplicate' ? movement.amount : left(movement), ours_currency: currency }
}

/** Lines of one movement: they settle it together, or each that is what is left of it does. */
function settle(lines: readonly SettlementLine[], movement: LedgerMovement): Map<SettlementLine, LineDecision> {
  const { object_id: subject_id, moved } = movement
  const post: LineDecision = { is: 'post', subject_id, moved }
  const decided = new Map<SettlementLine, LineDecision>()
  if (lines.length === 1) {
    const { amount, currency } = movedMoney(lines[0]!)
    if (currency === movement.currency && amount === left(movement)) {
      movement.settled = movement.amount
      return decided.set(lines[0]!, post)
    }
  }
  const same = lines.filter(line => movedMoney(line).currency === movement.currency)
  if (same.reduce((sum, line) => sum + movedMoney(line).amount, 0) === left(movement)) {
    movement.settled = movement.amount
    for (const line of same) decided.set(line, post)
  }
  for (const line of lines) {
    if (decided.has(line)) continue
    const { amount, currency } = movedMoney(line)
    if (currency !== movement.currency) decided.set(line, differs('currency_differs', movement))
    else if (left(movement) === amount) {
      movement.settled = movement.amount
      decided.set(line, post)
    } else decided.set(line, differs(left(movement) === 0 && movement.amount !== 0 ? 'duplicate' : 'amount_differs', movement))
  }
  return decided
}

/** Finds the objects of the names of a line, the most exact name first. A loop: a report has millions of lines. */
function namedBy({ object_reference, request_id, reference, payment_reference }: SettlementLine, books: Books): readonly NamedObject[] {
  let all: readonly NamedObject[] = []
  for (const name of [object_reference, request_id, reference, payment_reference]) {
    if (name === null) continue
    const found = books.named(name)
    if (found.length > 0) all = all.length === 0 ? found : [...all, ...found]
  }
  return all
}

/**
 * Decides on lines that are new, each once. Several lines may settle one movement. What is the processor's own
 * (fees, payouts, reserves …) needs no movement here, and belongs to the payment that it names, if any. Moves
 * `settled` of the movements ahead.
 */
export function matchLines(lines: readonly SettlementLine[], books: Books): LineDecision[] {
  const decided = new Map<SettlementLine, LineDecision>()
  const groups = new Map<string, { movement: LedgerMovement; lines: SettlementLine[] }>()
  for (const line of lines) {
    const named = namedBy(line, books)
    const subject_id = named[0]?.object_id ?? null
    const unknown = { is: 'open', subject_id, moved: null, ours: null, ours_currency: null } as const
    if (line.type === 'unknown') decided.set(line, { ...unknown, cause: 'unknown_type' })
    else if (!isOurs(line)) decided.set(line, { is: 'post', subject_id, moved: null })
    else {
      const one = named.every(({ object_id }) => object_id === subject_id)
      const movements = one
        ? subject_id === null
          ? []
          : books.movements(subject_id)
        : [...new Set(named.map(({ object_id }) => object_id))].flatMap(books.movements)
      const movement = movementOf(line, named, movements)
      if (movement === undefined) decided.set(line, { ...unknown, cause: 'missing_here' })
      else {
        const group = groups.get(nameOf(movement))
        if (group) group.lines.push(line)
        else groups.set(nameOf(movement), { movement, lines: [line] })
      }
    }
  }
  for (const { movement, lines: its } of groups.values()) for (const [line, decision] of settle(its, movement)) decided.set(line, decision)
  return lines.map(line => decided.get(line)!)
}
