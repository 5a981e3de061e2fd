import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { answer, GET, type Schemas } from './interface'
import { useMay } from './session'

// How much of what a page shows waits for a person, beside its name in the navigation.

type Kind = Schemas['Attention']['kind']

/** Where what needs a person is, and what it is called there: for one, and for more. */
const places: Readonly<Record<Kind, readonly [to: string, one: string, many: string]>> = {
  payment_conflicted: ['/payments', 'needs a person', 'need a person'],
  payment_review: ['/payments', 'needs a person', 'need a person'],
  payment_unresolved: ['/payments', 'needs a person', 'need a person'],
  hold_lapsing: ['/payments', 'needs a person', 'need a person'],
  refund_review: ['/refunds', 'needs a person', 'need a person'],
  approval_waiting: ['/approvals', 'waits', 'wait'],
  dispute_due: ['/disputes', 'needs an answer', 'need an answer'],
  account_not_answering: ['/connectors', 'does not answer', 'do not answer'],
  webhook_endpoint_failing: ['/developers/webhooks', 'fails', 'fail'],
  webhook_endpoint_disabled: ['/developers/webhooks', 'fails', 'fail'],
  api_key_expiring: ['/developers/keys', 'expires', 'expire'],
}

/** Of each kind so many are counted. */
const MOST = 100

type Waiting = { count: number; says: string }

/** By the address of a page. `unknown`: of payments, requests whose result no processor has told yet. */
function waitingOf({ data, unknown }: Schemas['AttentionList']): ReadonlyMap<string, Waiting & { unknown: number }> {
  const found = new Map<string, Waiting & { unknown: number }>()
  for (const { kind } of data) {
    const [to, one, many] = places[kind]
    const count = (found.get(to)?.count ?? 0) + 1
    found.set(to, { count, says: count === 1 ? one : many, unknown: 0 })
  }
  if (unknown.operations > 0) found.set('/payments', { count: 0, says: '', ...found.get('/payments'), unknown: unknown.operations })
  return found
}

/** What waits on each page. It is read again by the stream of events, and with each look at the tab. */
export function useWaiting(): ReturnType<typeof waitingOf> {
  const mayRead = useMay()('analytics:read')
  const { data } = useQuery({
    queryKey: ['attention', 'of pages'],
    queryFn: () => answer(GET('/attention', { params: { query: { limit: MOST } } })),
    enabled: mayRead,
    staleTime: 60_000,
  })
  return data === undefined ? new Map() : waitingOf(data)
}

const inShort = (count: number): string => (count >= MOST ? `${MOST - 1}+` : String(count))

function Count({ count, says, family }: { count: number; says: string; family: 'person' | 'unknown' }): ReactElement {
  return (
    <span className={`count ${family}`} title={`${inShort(count)} ${says}`}>
      {inShort(count)}
      <span className="unseen"> {says}</span>
    </span>
  )
}

export function Badge({ of }: { of: (Waiting & { unknown: number }) | undefined }): ReactElement | null {
  if (of === undefined) return null
  const { count, says, unknown } = of
  return (
    <span className="counts">
      {unknown > 0 && <Count count={unknown} says="not certain yet" family="unknown" />}
      {count > 0 && <Count count={count} says={says} family="person" />}
    </span>
  )
}
