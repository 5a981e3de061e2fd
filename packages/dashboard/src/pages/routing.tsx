import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { answer, GET } from '../api'
import { Choice } from '../parts/inputs'
import { Loaded } from '../parts/loaded'
import { PageHead } from '../parts/page-head'
import { TabLinks } from '../parts/tabs'
import { useProfiles } from '../queries'
import { usePermission } from '../session'
import { ActiveRules, useActiveRules } from './routing/active-rules'
import { FallbackOrder } from './routing/fallback-order'
import type { At } from './routing/history'
import { useKeys } from './routing/keys'

const DynamicRouting = lazy(() => import('./routing/dynamic-routing'))
const ErrorRules = lazy(() => import('./routing/error-rules'))

const tabs = [
  { tab: 'rules', name: 'Rules' },
  { tab: 'fallback', name: 'Fallback order' },
  { tab: 'learning', name: 'Learning' },
  { tab: 'errors', name: 'Error rules' },
] as const

/** Returns the parameters of these names that are set. */
const pick = (search: Record<string, string>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(search).filter(([name, value]) => names.includes(name) && value))

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
  const active = useActiveRules(at)
  const { data: keys } = useKeys()
  const { data: profiles } = useProfiles()
  const tab = tabs.find(one => one.tab === search.tab)?.tab ?? 'rules'
  const nameOf = (id: string) => profiles?.find(one => one.profile_id === id)?.profile_name ?? id
  const go = (to: Record<string, string>) => {
    setDrafting(false)
    void navigate({ to: '/routing', search: { ...search, ...to } })
  }
  const order = profile?.connectors ?? []
  const mayMake =
    of === 'payment' && may('routing:simulate') && !isDrafting && profile !== undefined && active.isSuccess && keys !== undefined
  const make = mayMake && <Button onClick={() => setDrafting(true)}>{active.data ? 'Change the rules' : 'Make rules'}</Button>
  const named = (tab: string) => ({ ...pick(search, ['of', 'profile_id']), ...(tab !== 'rules' && { tab }) })
  return (
    <Loaded what="Rules" asked={orders}>
      {() => (
        <div className="routing">
          <PageHead
            title="Rules"
            acts={
              <>
                <Choice aria-label="Of" data={['payment', 'payout']} value={of} change={value => go({ of: value })} />
                {(orders.data?.length ?? 0) > 1 && (
                  <Choice
                    aria-label="Profile"
                    data={orders.data!.map(({ profile_id: value }) => ({ value, label: nameOf(value) }))}
                    value={at.profile_id}
                    change={value => go({ profile_id: value })}
                  />
                )}
                {active.data && tab === 'rules' && make}
              </>
            }
          />
          <TabLinks
            label="Parts of routing"
            to="/routing"
            tabs={tabs.map(one => ({ name: one.name, search: named(one.tab), isCurrent: one.tab === tab }))}
          />
          <Suspense>
            {tab === 'rules' && <ActiveRules at={at} order={order} isDrafting={isDrafting} setDrafting={setDrafting} make={make} />}
            {tab === 'fallback' && profile && <FallbackOrder key={`${of} ${profile.profile_id}`} {...at} order={order} />}
            {tab === 'learning' && profile && <DynamicRouting key={profile.profile_id} profile_id={profile.profile_id} />}
            {tab === 'errors' && <ErrorRules />}
          </Suspense>
        </div>
      )}
    </Loaded>
  )
}
