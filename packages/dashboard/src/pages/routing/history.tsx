import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { answer, GET } from '../../api'
import { Panel } from '../../parts/details'
import { LoadError } from '../../parts/load-error'
import { Exact } from '../../parts/time'

export type At = { of: 'payment' | 'payout'; profile_id: string }

/** Lists the rules that were active, with the time, the user who activated them, and the reason. */
export function History({ of, profile_id }: At): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['routing', of, profile_id, 'history'],
    enabled: profile_id !== '',
    queryFn: () => {
      const params = { query: { profile_id } }
      return answer(of === 'payout' ? GET('/routing/payouts/history', { params }) : GET('/routing/history', { params }))
    },
  })
  if (error && data === undefined) return <LoadError what="The history" error={error} retry={() => void refetch()} />
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
