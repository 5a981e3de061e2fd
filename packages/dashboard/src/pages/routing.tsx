import { useProfiles } from '../queries'
import './settings.css'
import { Button, Select } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactElement, type ReactNode, Suspense, useEffect, useState } from 'react'
import { answer, GET } from '../api'
import { Panel } from '../parts/details'
import { LoadError } from '../parts/load-error'
import { usePermission } from '../session'
import { draftOf, inOrder } from './routing/draft'
import { FallbackOrder } from './routing/fallback-order'
import { type At, History } from './routing/history'
import { useKeys } from './routing/keys'
import { type Algorithm, Rules, useNames } from './routing/rules'

const DraftPanel = lazy(() => import('./routing/draft-panel'))
const DynamicRouting = lazy(() => import('./routing/dynamic-routing'))
const ErrorRules = lazy(() => import('./routing/error-rules'))

function useActive({ of, profile_id }: At) {
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

const tabs = [
  { tab: 'rules', name: 'Rules' },
  { tab: 'fallback', name: 'Fallback order' },
  { tab: 'learning', name: 'DynamicRouting' },
  { tab: 'errors', name: 'Error rules' },
] as const

function Tabs({ tab, search }: { tab: string; search: Record<string, string> }): ReactElement {
  const { of, profile_id } = search
  return (
    <nav className="tabs" aria-label="Parts of routing">
      {tabs.map(one => (
        <Link
          key={one.tab}
          to="/routing"
          search={
            { ...(of && { of }), ...(profile_id && { profile_id }), ...(one.tab !== 'rules' && { tab: one.tab }) } as Record<string, string>
          }
          activeOptions={{ exact: true }}
          aria-current={one.tab === tab ? 'page' : undefined}
        >
          {one.name}
        </Link>
      ))}
    </nav>
  )
}

type ActiveProps = {
  at: At
  order: readonly { connector: string | null; merchant_connector_id: string }[]
  isDrafting: boolean
  setDrafting(to: boolean): void
  make: ReactNode
}

/** Shows the active rules, a draft of new rules, and the rules that were active before. */
function Active({ at, order, isDrafting, setDrafting, make }: ActiveProps): ReactElement {
  const queries = useQueryClient()
  const active = useActive(at)
  const { data: keys = [] } = useKeys()
  const nameOf = useNames()
  const rules = active.data as (NonNullable<typeof active.data> & { algorithm: Algorithm }) | null | undefined
  const empty = { name: 'rules', rules: [], rest: inOrder(order.map(one => one.merchant_connector_id)) }
  const begun = rules && draftOf(rules.name, rules.algorithm, keys)
  return (
    <>
      {active.error && active.data === undefined && (
        <LoadError what="The active rules" error={active.error} retry={() => void active.refetch()} />
      )}
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

export default function Routing(): ReactElement {
  const search = useSearch({ strict: false }) as Record<string, string>
  const navigate = useNavigate()
  const may = usePermission()
  const [isDrafting, setDrafting] = useState(false)
  const of: At['of'] = search.of === 'payout' ? 'payout' : 'payment'
  const orders = useQuery({
    queryKey: ['routing', of, 'fallback'],
    queryFn: () => answer(of === 'payout' ? GET('/routing/payouts/default/profile') : GET('/routing/default/profile')),
  })
  const profile = orders.data?.find(one => one.profile_id === search.profile_id) ?? orders.data?.[0]
  const at = { of, profile_id: profile?.profile_id ?? '' }
  const active = useActive(at)
  const { data: keys } = useKeys()
  const { data: profiles } = useProfiles()
  const tab = tabs.find(one => one.tab === search.tab)?.tab ?? 'rules'
  useEffect(() => {
    document.title = 'Rules · Switchyard'
  }, [])
  const go = (to: Record<string, string>) => {
    setDrafting(false)
    void navigate({ to: '/routing', search: { ...search, ...to } })
  }
  if (orders.error && orders.data === undefined) return <LoadError what="Rules" error={orders.error} retry={() => void orders.refetch()} />
  const order = profile?.connectors ?? []
  const makes =
    of === 'payment' && may('routing:simulate') && !isDrafting && profile !== undefined && active.isSuccess && keys !== undefined
  const make = makes && <Button onClick={() => setDrafting(true)}>{active.data ? 'Change the rules' : 'Make rules'}</Button>
  return (
    <div className="routing">
      <div className="head">
        <h1>Rules</h1>
        <div className="acts">
          <Select
            aria-label="Of"
            data={['payment', 'payout']}
            value={of}
            onChange={value => go({ of: value ?? of })}
            allowDeselect={false}
          />
          {(orders.data?.length ?? 0) > 1 && (
            <Select
              aria-label="Profile"
              data={orders.data!.map(({ profile_id: value }) => ({
                value,
                label: profiles?.find(one => one.profile_id === value)?.profile_name ?? value,
              }))}
              value={at.profile_id}
              onChange={value => go({ profile_id: value ?? at.profile_id })}
              allowDeselect={false}
            />
          )}
          {active.data && tab === 'rules' && make}
        </div>
      </div>
      <Tabs tab={tab} search={search} />
      <Suspense>
        {tab === 'rules' && <Active at={at} order={order} isDrafting={isDrafting} setDrafting={setDrafting} make={make} />}
        {tab === 'fallback' && profile && <FallbackOrder key={`${of} ${profile.profile_id}`} {...at} order={order} />}
        {tab === 'learning' && profile && <DynamicRouting key={profile.profile_id} profile_id={profile.profile_id} />}
        {tab === 'errors' && <ErrorRules />}
      </Suspense>
    </div>
  )
}
