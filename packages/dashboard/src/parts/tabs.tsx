import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { Chosen } from './filters'

type Props = {
  to: string
  /** The name of the filter that the tabs set. */
  name: string
  chosen: Chosen
  /** The tabs, each with the values that its filter gets, separated by commas. */
  tabs: readonly { name: string; values: string }[]
  /** The number of objects for each value. Counts come from the aggregate, never from the list. */
  counts: Readonly<Record<string, number>> | undefined
}

const ofAnyPage = ['starting_after', 'ending_before', 'offset']

/** Shows tabs for the most frequent values of one filter, with the number of objects for each. */
export function Tabs({ to, name, chosen, tabs, counts }: Props): ReactElement {
  const rest = Object.fromEntries(Object.entries(chosen).filter(([one]) => one !== name && !ofAnyPage.includes(one)))
  const all = Object.values(counts ?? {}).reduce((sum, n) => sum + n, 0)
  const count = (values: string) => (values === '' ? all : values.split(',').reduce((sum, value) => sum + (counts?.[value] ?? 0), 0))
  return (
    <nav className="tabs" aria-label={`By ${name.replaceAll('_', ' ')}`}>
      {[{ name: 'All', values: '' }, ...tabs].map(tab => (
        <Link
          key={tab.name}
          to={to}
          search={{ ...rest, [name]: tab.values }}
          aria-current={(chosen[name] ?? '') === tab.values ? 'page' : undefined}
        >
          {tab.name}
          {counts && <span className="c">{count(tab.values).toLocaleString('en')}</span>}
        </Link>
      ))}
    </nav>
  )
}
