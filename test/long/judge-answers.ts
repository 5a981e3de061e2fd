import { finals } from '../../src/base/lifecycle.ts'
import { lifecycle } from '../../src/payments/lifecycle.ts'
import { cards } from '../cards.ts'
import type { Books } from './books.ts'
import type { ClientAnswer } from './clients.ts'
import { type Difference, versionsOf } from './judge.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows and ledgers as they come
type Body = any

/** The statuses that the service must not take back after it has answered them. */
const ends: readonly string[] = [...finals(lifecycle), 'succeeded', 'partially_captured']

/**
 * Whether the status of a refund is final. A refund that the processor has never received may still arrive; any other
 * failure is final.
 */
const isLast = ({ status, error_code }: Body): boolean => status !== 'pending' && error_code !== 'not_received'

/**
 * Whether a refund failed after its success, so that the client receives a second result: with this card, the bank
 * returns the refund days after the processor approved it, and a person at the dashboard may take any refund back.
 */
function cameBack({ payments, operations, remote }: Books, { payment_id, status, n }: Body): boolean {
  if (status !== 'failed') return false
  const own = operations.get(payment_id)?.find(operation => operation.n === n)
  const [their] = remote.get(own?.request_id) ?? []
  return their?.decline?.code === 'refund_failed' || payments.get(payment_id)?.card?.last4 === cards.refundsFailLater.slice(-4)
}

/** Whether others captured of the payment, which ended without them. */
const capturedByOthers = ({ operations }: Books, payment_id: string): boolean =>
  (operations.get(payment_id) ?? []).some(({ purpose, verb }) => purpose === 'external' && verb === 'capture')

/** Gives the part of an answer about a payment that changes with its money. */
const moneyOf = (of: Body): string =>
  JSON.stringify([
    of.status,
    Number(of.amount),
    Number(of.amount_received ?? 0),
    unauthorized.includes(of.status) ? 0 : Number(of.amount_capturable),
  ])

/**
 * The statuses in which an answer shows the amount to be authorized as amount_capturable, while the row holds nothing
 * yet.
 */
const unauthorized: readonly string[] = ['requires_payment_method', 'requires_confirmation', 'requires_customer_action']

/** The statuses that a payout may have after an answer with this status. */
const payoutEnds: Record<string, string[]> = { success: ['success', 'reversed'], cancelled: ['cancelled'], ineligible: ['ineligible'] }

/**
 * Judges the answers: nothing that was answered is lost or taken back; a client that repeated its request began one
 * object, and received one answer.
 */
export function judgeAnswers(books: Books, received: readonly ClientAnswer[]): Difference[] {
  const differences: Difference[] = []
  const differs = (payment_id: string | null, text: string) => differences.push({ payment_id, text })
  const versions = new Map<string, Set<string>>()
  const everTrue = (row: Body): Set<string> => {
    const known = versions.get(row.payment_id)
    if (known) return known
    const found = new Set(versionsOf(row, books.events.get(row.payment_id) ?? [], () => {}).map(moneyOf))
    versions.set(row.payment_id, found)
    return found
  }
  const prints = new Map<string, string>()
  /** The payments that a client asked to cancel after their capture. */
  const undone = new Set(received.flatMap(({ order }) => /\/payments\/([^/]+)\/cancel_post_capture$/.exec(order.path)?.[1] ?? []))
  for (const { order, yes, print } of received) {
    if (!yes) continue
    const { payment_id = null } = yes
    const what = `${order.method} ${order.path} ${order.key ?? ''}`
    if (yes.payout_id !== undefined) {
      const row = books.payouts.get(yes.payout_id)
      const after = payoutEnds[yes.status] ?? (row ? [row.status] : [])
      if (!row || Number(row.amount) !== yes.amount || !after.includes(row.status))
        differs(
          null,
          `${what} was answered ${JSON.stringify(yes)}, and the payout is ${row ? `${row.status} of ${row.amount}` : 'not there'}`,
        )
      if (order.path === '/payouts/create' && (order.body.payout_id ?? yes.payout_id) !== yes.payout_id)
        differs(null, `${what} asked for ${order.body.payout_id} and was answered ${yes.payout_id}`)
    } else if (yes.dispute_id !== undefined) {
      if (!books.disputes.has(yes.dispute_id)) differs(payment_id, `${what} was answered with a dispute that does not exist`)
    } else if (order.path === '/refunds') {
      const refund = books.refunds.get(yes.refund_id)
      if (!refund) differs(payment_id, `${what} was answered with a refund that does not exist: ${JSON.stringify(yes)}`)
      else if (Number(refund.amount) !== yes.amount || (isLast(yes) && refund.status !== yes.status && !cameBack(books, refund)))
        differs(payment_id, `${what} was answered ${JSON.stringify(yes)}, and the refund is ${refund.status} of ${refund.amount}`)
    } else {
      const row = books.payments.get(payment_id)
      if (!row) differs(payment_id, `${what} was answered with a payment that does not exist: ${JSON.stringify(yes)}`)
      else if (!everTrue(row).has(moneyOf(yes))) differs(payment_id, `${what} was answered ${JSON.stringify(yes)}, and it never was so`)
      else if (
        ends.includes(yes.status) &&
        row.status !== yes.status &&
        !capturedByOthers(books, payment_id) &&
        !(row.status === 'cancelled_post_capture' && undone.has(payment_id))
      )
        differs(payment_id, `${what} was answered ${yes.status}, and it is ${row.status}`)
    }
    const named = order.path === '/refunds' ? order.body.refund_id : yes.payout_id === undefined ? order.body?.payment_id : undefined
    if (named !== undefined && named !== (order.path === '/refunds' ? yes.refund_id : yes.payment_id))
      differs(payment_id, `${what} asked for ${named} and was answered ${JSON.stringify(yes)}`)
    if (order.key === undefined) continue
    const first = prints.get(order.key)
    if (first !== undefined && first !== print) differs(payment_id, `${what} was given two answers, the second ${JSON.stringify(yes)}`)
    prints.set(order.key, first ?? print!)
  }
  for (const [what, rows] of Object.entries({ payments: books.payments, payouts: books.payouts }))
    for (const name of repeated([...rows.values()].map(row => row.request.description as string)))
      differs(null, `one order became two ${what}: ${name}`)
  for (const name of repeated([...books.refunds.values()].map(row => row.metadata?.name as string)))
    differs(null, `one request became two refunds: ${name}`)

  // A client that was told that nothing was sent, and has no key to repeat its request with, must not be charged.
  const calledOff = new Set(
    received
      .filter(({ order, outcome }) => order.key === undefined && outcome.includes('nothing was sent'))
      .map(({ order }) => order.body.description as string),
  )
  for (const row of books.payments.values())
    if (calledOff.has(row.request.description) && !row.body_digest && books.charges.has(row.payment_id))
      differs(row.payment_id, 'its client was told that nothing was sent, and it was charged')
  return differences
}

function repeated(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.filter(name => {
    if (!name || !seen.has(name)) {
      seen.add(name)
      return false
    }
    return true
  })
}
