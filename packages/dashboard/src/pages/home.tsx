import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { answer, GET, POST, type Schemas } from '../api'
import type { Chosen } from '../list-address'
import { useLiveFigures } from '../live'
import { LoadError } from '../parts/load-error'
import { PageHead } from '../parts/page-head'
import { CapturedPanel } from './home/captured'
import { Figures } from './home/figures'
import { ByAccount, NeedsPerson, WhyDeclined } from './home/panels'
import { filterOf, ranges, startOf } from './home/period'

const useFigures = (range: string, group_by: string[]) => {
  const start_time = startOf(range)
  return useQuery({
    queryKey: ['analytics', start_time, group_by],
    queryFn: () =>
      answer(
        POST('/analytics/breakdown', {
          body: { time_range: { start_time }, group_by } as Schemas['AnalyticsBreakdownRequest'],
        }),
      ),
  })
}

export default function Home(): ReactElement {
  const { range = 'today' } = useSearch({ strict: false }) as Chosen
  const navigate = useNavigate()
  useLiveFigures('analytics')
  const all = useFigures(range, [])
  const accounts = useFigures(range, ['merchant_connector_id'])
  const codes = useFigures(range, ['error_code'])
  const attention = useQuery({ queryKey: ['attention'], queryFn: () => answer(GET('/attention', { params: { query: { limit: 6 } } })) })
  const [total] = all.data?.data ?? []
  return (
    <>
      <PageHead
        title="Home"
        acts={
          <SegmentedControl
            aria-label="Period"
            data={ranges}
            value={range}
            onChange={value => void navigate({ to: '/', search: { range: value === 'today' ? '' : value } })}
          />
        }
      />
      {all.error ? (
        <LoadError what="Figures" error={all.error} retry={() => void all.refetch()} />
      ) : all.data === undefined ? (
        <div className="five waits-here" aria-busy="true" />
      ) : (
        <Figures item={total} filter={filterOf(range)} attention={attention.data} />
      )}
      <div className="two">
        <CapturedPanel range={range} currency={total?.captured?.amounts[0]?.currency} isLoaded={all.data !== undefined} />
        <NeedsPerson asked={attention} />
      </div>
      <div className="two">
        <ByAccount asked={accounts} />
        <WhyDeclined asked={codes} />
      </div>
    </>
  )
}
