import { Button } from '@mantine/core'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react'
import type { paths } from '../../.made/interface'
import { answer, GET, POST, type Schemas } from '../api'
import { Panel } from '../parts/details'
import { EmptyState } from '../parts/empty-state'
import { type Chosen, type Filter, Filters } from '../parts/filters'
import { Id, ObjectLink } from '../parts/id'
import { LoadError } from '../parts/load-error'
import { Status } from '../parts/status'
import { Ago } from '../parts/time'

const Confirm = lazy(() => import('../parts/confirm'))

type Job = Schemas['Job']
type Query = paths['/jobs']['get']['parameters']['query']

/** The time between two reads of the queues, which change without the page. */
const LOOK_EVERY_MS = 10_000

const ages = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const
/** Formats the time that a job has waited: `3 min`. */
function ageOf(seconds: number): string {
  const [size, unit] = ages.find(([least]) => seconds >= least) ?? [1, 's']
  return `${Math.floor(seconds / size)} ${unit}`
}

function Queues({ queues }: { queues: readonly Schemas['Queue'][] | undefined }): ReactElement {
  const waiting = queues?.filter(({ due }) => due > 0) ?? []
  return (
    <Panel title="Queues" hint={queues && `${waiting.length} of ${queues.length} have something due`}>
      {queues !== undefined && waiting.length === 0 ? (
        <p className="blank">Nothing is due.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too
        <section className="tw" tabIndex={0} aria-label="Queues, in a table">
          <table aria-label="Queues">
            <thead>
              <tr>
                <th scope="col">Queue</th>
                <th scope="col" className="n">
                  Due
                </th>
                <th scope="col" className="n">
                  Oldest waits
                </th>
              </tr>
            </thead>
            <tbody>
              {waiting.map(({ name, due, oldest_age_seconds }) => (
                <tr key={name}>
                  <td>{name}</td>
                  <td className="n num">{due.toLocaleString('en')}</td>
                  <td className="n num">{ageOf(oldest_age_seconds)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Panel>
  )
}

function JobRows({ jobs, again }: { jobs: readonly Job[]; again(job: Job): void }): ReactElement {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too
    <section className="tw" tabIndex={0} aria-label="Jobs that fail, in a table">
      <table aria-label="Jobs that fail">
        <thead>
          <tr>
            {['State', 'Queue', 'Object', 'Merchant', 'Reason'].map(name => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {['Tries', 'Since'].map(name => (
              <th key={name} scope="col" className="n">
                {name}
              </th>
            ))}
            <th scope="col">
              <span className="unseen">What can be done</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {jobs.map(job => (
            <tr key={`${job.kind} ${job.job_id}`}>
              <td>
                <Status status={job.isolated_at ? 'isolated' : 'tried again'} family={job.isolated_at ? 'no' : 'way'} />
              </td>
              <td>{job.kind}</td>
              <td className="mono">
                <ObjectLink id={job.object} />
              </td>
              <td>
                <Id id={job.merchant_id} short />
              </td>
              <td title={job.reason ?? undefined}>{job.reason ?? <span className="faint">none is known</span>}</td>
              <td className="n num">{job.tries}</td>
              <td className="n">
                <Ago at={job.since} />
              </td>
              <td className="n">
                <Button variant="default" size="xs" aria-label={`Try again ${job.kind} ${job.object}`} onClick={() => again(job)}>
                  Try again…
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Shows the page for operators of the deployment: jobs that are due, and jobs that keep failing. */
export default function Jobs(): ReactElement {
  const chosen = useSearch({ strict: false }) as Chosen
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [asked, setAsked] = useState<Job | null>(null)
  const [notice, setNotice] = useState<string | null>(null)
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['jobs', chosen],
    queryFn: () => answer(GET('/jobs', { params: { query: chosen as unknown as Query } })),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_EVERY_MS,
  })
  useEffect(() => {
    document.title = 'Jobs · Switchyard'
  }, [])
  const show = (search: Chosen) => void navigate({ to: '/settings/jobs', search })
  const isFiltered = Object.values(chosen).some(Boolean)
  const filters: Filter[] = [
    {
      name: 'kind',
      label: 'Queue',
      kind: 'one of',
      choices: [...(data?.queues.map(({ name }) => name) ?? []), 'webhook_endpoint'].map(value => ({ value, label: value })),
    },
    {
      name: 'isolated',
      label: 'Isolated',
      kind: 'one of',
      choices: [
        { value: 'true', label: 'only these' },
        { value: 'false', label: 'only others' },
      ],
    },
    { name: 'merchant_id', label: 'Merchant', kind: 'text', hint: 'merchant_id' },
  ]
  return (
    <>
      <div className="head">
        <h1>Jobs</h1>
      </div>
      <Filters filters={filters} chosen={chosen} choose={(name, value) => show({ ...chosen, [name]: value })} />
      {notice !== null && (
        <p className="note plain spaced" role="status">
          {notice}
        </p>
      )}
      {error && data === undefined ? (
        <LoadError what="Jobs" error={error} retry={() => void refetch()} />
      ) : (
        <div className="stack">
          <Panel title="Jobs that fail" hint={data && String(data.size)}>
            {data?.size === 0 ? (
              <EmptyState clear={isFiltered ? () => show({}) : null} title="No job fails." />
            ) : (
              <div className={isPlaceholderData ? 'older' : undefined} aria-busy={data === undefined || isPlaceholderData}>
                {data && <JobRows jobs={data.data} again={setAsked} />}
              </div>
            )}
          </Panel>
          <Queues queues={data?.queues} />
        </div>
      )}
      <Suspense>
        {asked !== null && (
          <Confirm
            title="Try this job again?"
            act="Try it again"
            acting="Letting it go…"
            keep="Not now"
            close={() => setAsked(null)}
            consequence={
              <p>
                {asked.kind} of {asked.object} is tried at the next tick, and its tries are counted from zero.{' '}
                {asked.kind === 'webhook_endpoint'
                  ? 'What waits for the endpoint is sent to it.'
                  : 'It does what it was going to do, once: a processor that was asked already is asked what became of it.'}
              </p>
            }
            send={async key => {
              const params = { path: { job_id: asked.job_id }, header: { 'Idempotency-Key': key } }
              await answer(POST('/jobs/{job_id}/retry', { params }))
              setNotice(`${asked.kind} of ${asked.object} is tried again.`)
              await queries.invalidateQueries({ queryKey: ['jobs'] })
            }}
          />
        )}
      </Suspense>
    </>
  )
}
