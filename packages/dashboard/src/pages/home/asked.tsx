import type { ReactElement } from 'react'
import { Panel } from '../../parts/details'
import { LoadError } from '../../parts/load-error'

type Props<Item> = {
  title: string
  query: { data: { data: readonly Item[] } | undefined; error: unknown; refetch(): unknown }
  children(items: readonly Item[]): ReactElement
}

/**
 * Shows a panel with its own query. It stays empty until the data are there, and shows the error of its query in its
 * own place.
 */
export function Asked<Item>({ title, query, children }: Props<Item>): ReactElement {
  const { data, error, refetch } = query
  if (data !== undefined) return children(data.data)
  return (
    <Panel title={title}>
      <div className="in waits-here" aria-busy={!error}>
        {error ? <LoadError what={title} error={error} retry={() => void refetch()} /> : null}
      </div>
    </Panel>
  )
}
