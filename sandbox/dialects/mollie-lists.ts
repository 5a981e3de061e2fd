// Mollie's lists of an account's payments, refunds and chargebacks, the latest first; a payment with all its parts.

import type { Account } from '../books.ts'
import type { Dispute, Payment } from '../records.ts'
import { Refusal } from '../refusals.ts'
import type { ApiCall, CallResult } from './language.ts'
import { changesOf, chargebacksOf, listed, showChange, showChargeback, showPayment } from './mollie-show.ts'

const invalid = (field: string, detail: string) => new Refusal('invalid_request', detail, field)

/** Returns `limit` items from the item `from` on. */
export function page({ query, url }: ApiCall, name: string, items: readonly { id: string }[], path = `/${name}`): CallResult {
  const limit = Number(query.limit ?? 50)
  if (!Number.isInteger(limit) || limit < 1 || limit > 250) throw invalid('limit', 'The limit should be between 1 and 250')
  if (!['asc', 'desc', undefined].includes(query.sort as string)) throw invalid('sort', 'The sort is invalid')
  const all = query.sort === 'asc' ? items : items.toReversed()
  const from = query.from === undefined ? 0 : all.findIndex(({ id }) => id === query.from)
  if (from === -1) throw invalid('from', 'Invalid cursor value')
  const next = all[from + limit]
  const href = next ? `${url}/mollie${path}?from=${next.id}&limit=${limit}` : null
  return { body: listed(name, all.slice(from, from + limit), href) }
}

const isMollie = (account: Account, payment: string): boolean => account.payments.get(payment)?.dialect === 'mollie'

export const listPayments = (asked: ApiCall): CallResult =>
  page(
    asked,
    'payments',
    [...asked.account.payments.values()]
      .filter(({ dialect }) => dialect === 'mollie')
      .map(one => showPayment(asked, one) as { id: string }),
  )

export const listRefunds = (asked: ApiCall): CallResult =>
  page(
    asked,
    'refunds',
    [...asked.account.operations.values()]
      .filter(({ type, payment }) => type === 'refund' && isMollie(asked.account, payment))
      .map(one => showChange(asked, one) as { id: string }),
  )

export const listChargebacks = (asked: ApiCall): CallResult =>
  page(
    asked,
    'chargebacks',
    [...asked.account.documents.values()]
      .filter((one): one is Dispute => one.object === 'dispute' && isMollie(asked.account, (one as Dispute).payment))
      .map(one => showChargeback(asked, one) as { id: string }),
  )

/** Shows a payment, with what `embed` names. */
export function withEmbedded(asked: ApiCall, payment: Payment): object {
  const shown = showPayment(asked, payment)
  if (asked.query.embed === undefined) return shown
  const parts: Record<string, () => object[]> = {
    captures: () => changesOf(asked, payment, 'capture'),
    refunds: () => changesOf(asked, payment, 'refund'),
    chargebacks: () => chargebacksOf(asked, payment),
  }
  const names = String(asked.query.embed).split(',')
  const strange = names.find(name => !Object.hasOwn(parts, name))
  if (strange !== undefined) throw invalid('embed', `The embed value ${strange} is invalid`)
  return { ...shown, _embedded: Object.fromEntries(names.map(name => [name, parts[name]!()])) }
}
