import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactElement, type ReactNode, Suspense } from 'react'
import { answer, GET } from '../../api'
import { Panel } from '../../parts/details'
import { Loaded } from '../../parts/loaded'
import { draftOf, inOrder } from './draft'
import { type At, History } from './history'
import { useKeys } from './keys'
import { type Algorithm, Rules, useNames } from './rules'

const DraftPanel = lazy(() => import('./draft-panel'))

export function useActiveRules({ of, profile_id }: At) {
  return useQuery({
    queryKey: ['routing', of, profile_id, 'active'],
    enabled: profile_id !== '',
    queryFn: async () => {
      const params = { query: { profile_id } }
      const [record] = await answer(of === 'payout' ? GET('/routing/payouts/active', { params }) : GET('/routing/active', { params }))
      if (record === undefined) return null
      const path = { params: { path: { routing_algorithm_id: record.id } } }
      return answer(of === 'payout' ? GET('/routing/payouts/{routing_algorithm_id}', path) : GET('/routing/{routing_algorithm_id}', path))
    },
  })
}

type Props = {
  at: At
  order: readonly { connector: string | null; merchant_connector_id: string }[]
  isDrafting: boolean
  setDrafting(to: boolean): void
  make: ReactNode
}

/** Shows the active rules, a draft of new rules, and the rules that were active before. */
export function ActiveRules({ at, order, isDrafting, setDrafting, make }: Props): ReactElement {
  const queries = useQueryClient()
  const active = useActiveRules(at)
  const { data: keys = [] } = useKeys()
  const nameOf = useNames()
  const rules = active.data as (NonNullable<typeof active.data> & { algorithm: Algorithm }) | null | undefined
  const empty = { name: 'rules', rules: [], rest: inOrder(order.map(one => one.merchant_connector_id)) }
  const begun = rules && draftOf(rules.name, rules.algorithm, keys)
  return (
    <>
      <Loaded what="The active rules" asked={active}>
        {() => null}
      </Loaded>
      {rules && (
        <Panel title={`${rules.name}, version ${rules.version}`} hint="active">
          <Rules algorithm={rules.algorithm} />
        </Panel>
      )}
      {rules === null && !isDrafting && (
        <div className="panel">
          <div className="blank">
            <h2>{at.of === 'payment' ? 'Payments' : 'Payouts'} go by the fallback order.</h2>
            <p>{order.map(nameOf).join(', then ')}</p>
            <div className="acts">{make}</div>
          </div>
        </div>
      )}
      {isDrafting && (
        <Suspense>
          <DraftPanel
            start={begun ?? empty}
            isNew={!rules || begun !== null}
            profile_id={at.profile_id}
            accounts={order}
            keys={keys}
            close={() => setDrafting(false)}
            activated={async () => {
              setDrafting(false)
              await queries.invalidateQueries({ queryKey: ['routing'] })
            }}
          />
        </Suspense>
      )}
      <History {...at} />
    </>
  )
}
