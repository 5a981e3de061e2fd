import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { answer, GET, type Schemas } from './api'
import { usePermission } from './session'

// Badges of the navigation: beside each page, the number of its objects that need action by a user.

type Kind = Schemas['Attention']['kind']

/**
 * For each kind of attention: the page that lists its objects, and the words of the badge for one object and for more.
 */
const places: Readonly<Record<Kind, readonly [to: string, one: string, many: string]>> = {
  payment_conflicted: ['/payments', 'needs attention', 'need attention'],
  payment_review: ['/payments', 'needs attention', 'need attention'],
  payment_unresolved: ['/payments', 'needs attention', 'need attention'],
  hold_lapsing: ['/payments', 'needs attention', 'need attention'],
  refund_review: ['/refunds', 'needs attention', 'need attention'],
  approval_waiting: ['/approvals', 'waits', 'wait'],
  dispute_due: ['/disputes', 'needs an answer', 'need an answer'],
  account_not_answering: ['/connectors', 'does not answer', 'do not answer'],
  webhook_endpoint_failing: ['/developers/webhooks', 'fails', 'fail'],
  webhook_endpoint_disabled: ['/developers/webhooks', 'fails', 'fail'],
  api_key_expiring: ['/developers/keys', 'expires', 'expire'],
}

/** The largest number of objects that are counted for the badges. */
const MOST = 100

type Waiting = { count: number; label: string }

/**
 * Counts the objects that need action, by the address of their page. `unknown` is the number of operations on payments
 * whose result no processor has reported yet.
 */
function waitingOf({ data, unknown }: Schemas['AttentionList']): ReadonlyMap<string, Waiting & { unknown: number }> {
  const found = new Map<string, Waiting & { unknown: number }>()
  for (const { kind } of data) {
    const [to, one, many] = places[kind]
    const count = (found.get(to)?.count ?? 0) + 1
    found.set(to, { count, label: count === 1 ? one : many, unknown: 0 })
  }
  if (unknown.operations > 0) found.set('/payments', { count: 0, label: '', ...found.get('/payments'), unknown: unknown.operations })
  return found
}

/** Returns the badges of all pages. They are read again after events of the stream, and when the tab is focused. */
export function useWaiting(): ReturnType<typeof waitingOf> {
  const mayRead = usePermission()('analytics:read')
  const { data } = useQuery({
    queryKey: ['attention', 'of pages'],
    queryFn: () => answer(GET('/attention', { params: { query: { limit: MOST } } })),
    enabled: mayRead,
    staleTime: 60_000,
  })
  return data === undefined ? new Map() : waitingOf(data)
}

const inShort = (count: number): string => (count >= MOST ? `${MOST - 1}+` : String(count))

function Count({ count, label, family }: { count: number; label: string; family: 'person' | 'unknown' }): ReactElement {
  return (
    <span className={`count ${family}`} title={`${inShort(count)} ${label}`}>
      {inShort(count)}
      <span className="unseen"> {label}</span>
    </span>
  )
}

export function Badge({ of }: { of: (Waiting & { unknown: number }) | undefined }): ReactElement | null {
  if (of === undefined) return null
  const { count, label, unknown } = of
  return (
    <span className="counts">
      {unknown > 0 && <Count count={unknown} label="not certain yet" family="unknown" />}
      {count > 0 && <Count count={count} label={label} family="person" />}
    </span>
  )
}
