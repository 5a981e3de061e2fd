// PayPal's lists: the events of an account, also those that no webhook has delivered, and the disputes of a capture.

import type { Event } from '../books.ts'
import type { Dispute } from '../records.ts'
import { Refusal } from '../refusals.ts'
import type { ApiCall, CallResult } from './language.ts'
import { webhookFormat } from './paypal-events.ts'
import { capturesOf, DISPUTES, idOf, showDispute } from './paypal-show.ts'

/** How long PayPal keeps events, and how far back disputes are listed. */
const DAY_MS = 24 * 3_600_000
const EVENTS_KEPT_MS = 30 * DAY_MS
const DISPUTES_LISTED_MS = 180 * DAY_MS

const EVENTS = '/v1/notifications/webhooks-events'
const invalid = (issue: string) => new Refusal('invalid_request', issue)

/** Refuses (400) parameters that PayPal does not document. `next`: that of its own links. */
function parametersIn({ query }: ApiCall, names: string): Record<string, string | undefined> {
  const given = Object.entries(query as Record<string, unknown>)
  if (given.some(([name, value]) => !names.split(' ').includes(name) || typeof value !== 'string')) throw invalid('INVALID_PARAMETER_VALUE')
  return Object.fromEntries(given) as Record<string, string>
}

function timeIn(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(text)) throw invalid('INVALID_PARAMETER_SYNTAX')
  return Date.parse(text)
}

function sizeIn(text: string | undefined, most: number): number {
  const size = Number(text ?? 10)
  if (!Number.isInteger(size) || size < 1 || size > most) throw invalid('INVALID_PARAMETER_VALUE')
  return size
}

/** Lists events, the latest first. The link to the next page has PayPal's own parameters. */
export function listEvents(asked: ApiCall): CallResult {
  const { account, turn, url } = asked
  const given = parametersIn(asked, 'page_size start_time end_time transaction_id event_type index_id')
  const size = sizeIn(given.page_size, 300)
  const from = Math.max(timeIn(given.start_time, 0), turn.at - EVENTS_KEPT_MS)
  const to = timeIn(given.end_time, turn.at)
  const isListed = ({ created_at, operation }: Event): boolean =>
    account.payments.get(operation.payment)?.dialect === 'paypal' && Date.parse(created_at) >= from && Date.parse(created_at) <= to
  const all = [...account.events.values()]
    .filter(isListed)
    .reverse()
    .map(event => webhookFormat.body(account, event, url) as { event_type: string; resource: { id?: string } })
    .filter(
      ({ event_type, resource }) =>
        (given.event_type ?? event_type) === event_type && (given.transaction_id ?? resource.id) === resource.id,
    )
  const start = Number(given.index_id ?? 0)
  const events = all.slice(start, start + size)
  const query = new URLSearchParams(given as Record<string, string>)
  query.set('index_id', String(start + size))
  const next = start + size < all.length ? [{ href: `${url}/paypal${EVENTS}?${query}`, rel: 'next', method: 'GET' }] : []
  return { body: { events, count: events.length, links: [{ href: `${url}/paypal${EVENTS}`, rel: 'self', method: 'GET' }, ...next] } }
}

/** Lists disputes with a part of their members: which transaction is disputed is not in it. */
export function listDisputes(asked: ApiCall): CallResult {
  const { account, turn, url } = asked
  const given = parametersIn(asked, 'disputed_transaction_id start_time update_time_after update_time_before page_size dispute_state')
  const { disputed_transaction_id: id } = given
  if (id !== undefined && given.start_time !== undefined) throw invalid('INVALID_PARAMETER_VALUE')
  const after = Math.max(timeIn(given.update_time_after ?? given.start_time, 0), turn.at - DISPUTES_LISTED_MS)
  const before = timeIn(given.update_time_before, turn.at)
  const isListed = ({ payment, updated }: Dispute): boolean => {
    const its = account.payments.get(payment)!
    return (
      its.dialect === 'paypal' &&
      (id === undefined ? updated >= after && updated <= before : idOf(capturesOf(account, its).at(-1)!.id) === id)
    )
  }
  const all = [...account.documents.values()].filter((one): one is Dispute => one.object === 'dispute').filter(isListed)
  const items = all.slice(0, sizeIn(given.page_size, 50)).map(dispute => {
    const { disputed_transactions: _, ...shown } = showDispute({ account, url }, dispute) as Record<string, unknown>
    return { ...shown, links: [{ href: `${url}/paypal${DISPUTES}/${dispute.id}`, rel: 'self', method: 'GET' }] }
  })
  return { body: { items, links: [{ href: `${url}/paypal${DISPUTES}`, rel: 'self', method: 'GET' }] } }
}
