// What moved the balance of an account at a processor, for the reports of dialects: each movement with its fee, and the
// payout of each day. All of it follows from the ledger of money.

import { createHash } from 'node:crypto'
import type { Account } from './books.ts'
import { isPayout } from './payouts.ts'
import type { Dispute, Operation, Payment } from './records.ts'
import { feeOf } from './settlement.ts'

const DAY_MS = 24 * 3600_000
/** The fee of a dispute, in the smallest currency unit. */
const DISPUTE_FEE = 1500

/**
 * One movement. `of`: the operation or dispute that moved it. `amount` and `fee` are in the smallest currency unit; an
 * amount is positive if the merchant receives it, a fee if the processor keeps it.
 */
export type BalanceMovement = {
  kind: 'charge' | 'refund' | 'refund_failure' | 'chargeback' | 'chargeback_reversal' | 'transfer' | 'transfer_failure'
  of: Operation | Dispute
  payment: Payment
  amount: number
  fee: number
  currency: string
  /** By the account's clock, in milliseconds. */
  at: number
}

type Made = Pick<BalanceMovement, 'kind' | 'amount' | 'at'>

function madeBy(operation: Operation, payment: Payment): Made[] {
  const { type, status, amount, decline } = operation
  const [made, changed] = [Date.parse(operation.created_at), Date.parse(operation.updated_at)]
  const took = { kind: 'charge', amount, at: changed } as const
  if (type === 'capture') return status === 'approved' ? [took] : []
  if (type === 'authorization') return status === 'approved' && payment.capture === 'automatic' && amount > 0 ? [took] : []
  if (type === 'payout') {
    const [sent, back] = [{ kind: 'transfer', amount: -amount } as const, { kind: 'transfer_failure', amount, at: changed } as const]
    return status === 'approved' ? [{ ...sent, at: changed }] : status === 'returned' ? [{ ...sent, at: made }, back] : []
  }
  if (type !== 'refund' && type !== 'reversal') return []
  const gave = { kind: 'refund', amount: -amount } as const
  if (status === 'approved') return [{ ...gave, at: changed }]
  // A refund that was approved has a reference at the acquirer.
  const cameBack = status === 'returned' || (status === 'declined' && decline?.code === 'refund_failed' && operation.arn !== null)
  return cameBack
    ? [
        { ...gave, at: made },
        { kind: 'refund_failure', amount, at: changed },
      ]
    : []
}

function madeByDispute({ stage, status, amount, created, updated }: Dispute): Made[] {
  if (stage === 'inquiry') return status === 'accepted' || status === 'lost' ? [{ kind: 'chargeback', amount: -amount, at: updated }] : []
  const taken: Made = { kind: 'chargeback', amount: -amount, at: created }
  return status === 'won' || status === 'cancelled' ? [taken, { kind: 'chargeback_reversal', amount, at: updated }] : [taken]
}

/** The movements of an account in one dialect, by their time; undefined: in the sandbox's own language. */
export function movementsIn(account: Account, dialect: string | undefined): BalanceMovement[] {
  const moved: BalanceMovement[] = []
  const add = (of: Operation | Dispute, payment: Payment, made: readonly Made[], feeFor: (one: Made) => number) => {
    for (const one of made) moved.push({ ...one, of, payment, fee: feeFor(one), currency: payment.currency })
  }
  for (const operation of account.operations.values()) {
    const payment = account.payments.get(operation.payment)!
    if (payment.dialect !== dialect) continue
    const isFree = isPayout(payment)
    add(operation, payment, madeBy(operation, payment), ({ kind, amount }) =>
      isFree || kind === 'refund_failure' ? 0 : feeOf(amount, operation.type),
    )
  }
  for (const document of account.documents.values()) {
    const payment = document.object === 'dispute' ? account.payments.get((document as Dispute).payment) : undefined
    if (!payment || payment.dialect !== dialect) continue
    add(document as Dispute, payment, madeByDispute(document as Dispute), ({ kind }) => (kind === 'chargeback' ? DISPUTE_FEE : 0))
  }
  return moved.sort((a, b) => a.at - b.at)
}

/** What one day moved in one currency, which the processor pays out at the next midnight. */
export type DayPayout = { day: string; currency: string; movements: BalanceMovement[]; net: number; paid_at: number }

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The payouts of days that are over. */
export function dayPayouts(account: Account, dialect: string | undefined, now: number): DayPayout[] {
  const days = Map.groupBy(movementsIn(account, dialect), ({ at, currency }) => `${dayOf(at)} ${currency}`)
  const all = [...days.values()].map((movements): DayPayout => {
    const [{ at, currency }] = movements as [BalanceMovement]
    const day = dayOf(at)
    const net = movements.reduce((sum, { amount, fee }) => sum + amount - fee, 0)
    return { day, currency, movements, net, paid_at: Date.parse(`${day}T00:00:00Z`) + DAY_MS }
  })
  return all.filter(({ paid_at }) => paid_at <= now)
}

/** An id of letters and digits that follows from its parts. */
export const idFrom = (length: number, ...parts: string[]): string =>
  createHash('sha256').update(parts.join(' ')).digest('base64').replace(/[+/=]/g, '').slice(0, length)

/** Rows as CSV (RFC 4180): every field in quotes. */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map(row => `${row.map(field => `"${String(field).replaceAll('"', '""')}"`).join(',')}\n`).join('')
