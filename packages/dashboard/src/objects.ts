import type { Schemas } from './api'
import type { IconName } from './parts/icons'

type ObjectKind = {
  name: string
  icon: IconName
  /** The beginning of its ids; null if merchants choose them. */
  prefix: string | null
  /** The beginning of its page's address. */
  page: string
  /** The beginning of its path in the interface; null if the id alone does not name it there. */
  read: string | null
}

/** The objects that have a page, by the interface's names of their kinds. */
export const objects = {
  payment: { name: 'Payment', icon: 'card', prefix: 'pay_', page: '/payments/', read: '/payments/' },
  refund: { name: 'Refund', icon: 'back', prefix: 'ref_', page: '/refunds/', read: '/refunds/' },
  dispute: { name: 'Dispute', icon: 'flag', prefix: 'dp_', page: '/disputes/', read: '/disputes/' },
  payout: { name: 'Payout', icon: 'up', prefix: 'pyt_', page: '/payouts/', read: '/payouts/' },
  event: { name: 'Event', icon: 'bolt', prefix: 'evt_', page: '/developers/events/', read: '/events/' },
  request_log: { name: 'Request', icon: 'lines', prefix: 'log_', page: '/developers/logs/', read: '/logs/' },
  customer: { name: 'Customer', icon: 'people', prefix: null, page: '/customers/', read: '/customers/' },
  connector_account: { name: 'Connector account', icon: 'plug', prefix: 'mca_', page: '/connectors/', read: null },
} as const satisfies Partial<Record<Schemas['SearchHit']['kind'], ObjectKind>>

export const kindOf = (id: string): ObjectKind | undefined =>
  Object.values<ObjectKind>(objects).find(({ prefix }) => prefix !== null && id.startsWith(prefix))

/** Returns the address of an object's page, by its id; null if the object has none. */
export function pageOf(id: string): string | null {
  const kind = kindOf(id)
  return kind?.read ? kind.page + id : null
}

/** Returns the path in the interface that reads the object with this id, or null. */
export function readOf(id: string): string | null {
  const kind = kindOf(id)
  return kind?.read ? kind.read + id : null
}
