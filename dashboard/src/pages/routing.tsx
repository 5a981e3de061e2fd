import { Button, Select } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react'
import { answer, GET } from '../interface'
import { Panel } from '../parts/details'
import { Failed } from '../parts/failed'
import { Exact } from '../parts/time'
import { useMay } from '../session'
import { draftOf } from './routing/draft'
import { fields } from './routing/fields'
import { type Algorithm, type Choice, Rules, useNames } from './routing/rules'

const Drafting = lazy(() => import('./routing/drafting'))

type Of = 'payment' | 'payout'
type At = { of: Of; profile_id: string }

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

function History({ of, profile_id }: At): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['routing', of, profile_id, 'history'],
    enabled: profile_id !== '',
    queryFn: () => {
      const params = { query: { profile_id } }
      return answer(of === 'payout' ? GET('/routing/payouts/history', { params }) : GET('/routing/history', { params }))
    },
  })
  if (error && data === undefined) return <Failed what="The history" error={error} again={() => void refetch()} />
  return (
    <Panel title="History">
      {data?.length === 0 && <p className="in tight muted">No rules have been active yet.</p>}
      <ul className="in tight">
        {data?.map(one => (
          <li key={one.active_from}>
            <b className="strong">
              {one.name}, version {one.version}
            </b>{' '}
            from <Exact at={one.active_from} /> {one.active_until ? <>until {<Exact at={one.active_until} />}</> : 'on'}, by {one.by}
            {one.reason !== null && `: ${one.reason}`}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function ErrorRules(): ReactElement {
  const { data, error, refetch } = useQuery({ queryKey: ['gsm'], queryFn: () => answer(GET('/gsm/list')) })
  if (error && data === undefined) return <Failed what="Error rules" error={error} again={() => void refetch()} />
  return (
    <Panel title="Error rules" hint="Of the deployment: what is tried again after an error">
      {data?.data.length === 0 && <p className="in tight muted">None.</p>}
      <ul className="in tight">
        {data?.data.slice(0, 50).map(one => (
          <li key={`${one.connector} ${one.flow} ${one.sub_flow} ${one.code} ${one.message}`}>
            {one.connector} <span className="code">{one.code}</span> {one.message} → <b className="strong">{one.decision}</b>
          </li>
        ))}
      </ul>
      {(data?.size ?? 0) > 50 && <p className="in tight muted">The first 50 of {data?.size}.</p>}
    </Panel>
  )
}

function Fallback({ order }: { order: readonly Choice[] }): ReactElement {
  const nameOf = useNames()
  return (
    <Panel title="Fallback order" hint="Where no rule says otherwise">
      <ol className="in tight">
        {order.map(one => (
          <li key={one.merchant_connector_id}>{nameOf(one)}</li>
        ))}
      </ol>
    </Panel>
  )
}

export default function Routing(): ReactElement {
  const search = useSearch({ strict: false }) as Record<string, string>
  const navigate = useNavigate()
  const queries = useQueryClient()
  const may = useMay()
  const [isDrafting, setDrafting] = useState(false)
  const of: Of = search['of'] === 'payout' ? 'payout' : 'payment'
  const orders = useQuery({
    queryKey: ['routing', of, 'fallback'],
    queryFn: () => answer(of === 'payout' ? GET('/routing/payouts/default/profile') : GET('/routing/default/profile')),
  })
  const profile = orders.data?.find(one => one.profile_id === search['profile_id']) ?? orders.data?.[0]
  const at = { of, profile_id: profile?.profile_id ?? '' }
  const active = useActive(at)
  useEffect(() => {
    document.title = 'Rules · Switchyard'
  }, [])
  const go = (to: Record<string, string>) => {
    setDrafting(false)
    void navigate({ to: '/routing', search: { ...search, ...to } })
  }
  if (orders.error && orders.data === undefined) return <Failed what="Rules" error={orders.error} again={() => void orders.refetch()} />
  const order = profile?.connectors ?? []
  const rules = active.data as (NonNullable<typeof active.data> & { algorithm: Algorithm }) | null | undefined
  const empty = { name: 'rules', rules: [], rest: order.map(one => one.merchant_connector_id) }
  const makes = of === 'payment' && may('routing:simulate') && !isDrafting && profile !== undefined && active.isSuccess
  const make = makes && <Button onClick={() => setDrafting(true)}>{rules ? 'Change the rules' : 'Make rules'}</Button>
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
              data={orders.data!.map(one => one.profile_id)}
              value={at.profile_id}
              onChange={value => go({ profile_id: value ?? at.profile_id })}
              allowDeselect={false}
            />
          )}
          {rules && make}
        </div>
      </div>
      {active.error && active.data === undefined && (
        <Failed what="The active rules" error={active.error} again={() => void active.refetch()} />
      )}
      {rules && (
        <Panel title={`${rules.name}, version ${rules.version}`} hint="active">
          <Rules algorithm={rules.algorithm} />
        </Panel>
      )}
      {rules === null && !isDrafting && (
        <div className="panel">
          <div className="blank">
            <h2>{of === 'payment' ? 'Payments' : 'Payouts'} go by the fallback order.</h2>
            <div className="acts">{make}</div>
          </div>
        </div>
      )}
      {isDrafting && (
        <Suspense>
          <Drafting
            start={(rules && draftOf(rules.name, rules.algorithm, fields)) ?? empty}
            isNew={!rules || draftOf(rules.name, rules.algorithm, fields) !== null}
            profile_id={at.profile_id}
            accounts={order}
            close={() => setDrafting(false)}
            activated={async () => {
              setDrafting(false)
              await queries.invalidateQueries({ queryKey: ['routing'] })
            }}
          />
        </Suspense>
      )}
      <Fallback order={order} />
      <History {...at} />
      <ErrorRules />
    </div>
  )
}
