import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useEffect, useState } from 'react'
import { answer, GET, POST } from '../api'
import { useIsMerchantWide, usePermission } from '../session'
import { LoadError } from './load-error'

const LOOK_EVERY_MS = 1000

/** Shows a button that fills a merchant in test mode with realistic payments, and shows the progress. */
export function SampleData(): ReactElement | null {
  const queries = useQueryClient()
  const isWhole = useIsMerchantWide()
  const mayWrite = usePermission()('payments:write') && isWhole
  const [job_id, setJob] = useState<string | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const { data: deployment } = useQuery({
    queryKey: ['deployment'],
    queryFn: () => answer(GET('/deployment')),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { data: job } = useQuery({
    queryKey: ['sample data', job_id],
    queryFn: () => answer(GET('/sample_data/{job_id}', { params: { path: { job_id: job_id! } } })),
    enabled: job_id !== null,
    refetchInterval: ({ state }) => (state.data?.status === 'completed' ? false : LOOK_EVERY_MS),
  })
  const isDone = job?.status === 'completed'
  useEffect(() => {
    if (isDone) void queries.invalidateQueries()
  }, [isDone, queries])
  if (deployment?.mode !== 'test' || !mayWrite) return null
  const make = () => void answer(POST('/sample_data', { body: { payments: 200, days: 30 } })).then(made => setJob(made.job_id), setFailure)
  return (
    <div className="acts">
      {failure !== null && <LoadError what="Sample data" error={failure} />}
      {job_id === null ? (
        <Button variant="default" onClick={make}>
          Make sample data
        </Button>
      ) : (
        <p role="status">{`${(job?.made ?? 0) + (job?.refused ?? 0)} of ${job?.payments ?? 200} made`}</p>
      )}
    </div>
  )
}
