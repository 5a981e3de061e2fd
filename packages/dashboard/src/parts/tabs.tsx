import { Link } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'
import { type Chosen, pageParameters } from '../list-address'
import { type Counts, countOf } from './status-counts'

type Shown = { name: string; search: Record<string, string>; isCurrent: boolean; count?: ReactNode }

/** Shows tabs that are views of one page: each has an address of its own. */
export function TabLinks({ label, to, tabs }: { label: string; to: string; tabs: readonly Shown[] }): ReactElement {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ name, search, isCurrent, count }) => (
        <Link key={name} to={to} search={search} activeOptions={{ exact: true }} aria-current={isCurrent ? 'page' : undefined}>
          {name}
          {count !== undefined && <span className="c">{count}</span>}
        </Link>
      ))}
    </nav>
  )
}

/** A tab, with the values that its filter gets, separated by commas. */
export type Tab = { name: string; values: string }

type Props = {
  to: string
  /** The name of the filter that the tabs set. */
  name: string
  chosen: Chosen
  tabs: readonly Tab[]
  /** The number of objects for each value. Counts come from the aggregate, never from the list. */
  counts: Counts | undefined
}

export function Tabs({ to, name, chosen, tabs, counts }: Props): ReactElement {
  const rest = Object.fromEntries(Object.entries(chosen).filter(([one]) => one !== name && !pageParameters.includes(one)))
  return (
    <TabLinks
      label={`By ${name.replaceAll('_', ' ')}`}
      to={to}
      tabs={[{ name: 'All', values: '' }, ...tabs].map(tab => ({
        name: tab.name,
        search: { ...rest, [name]: tab.values },
        isCurrent: (chosen[name] ?? '') === tab.values,
        count: countOf(counts, tab.values)?.toLocaleString('en'),
      }))}
    />
  )
}
