import { Button } from '@mantine/core'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import type { paths } from '../../.made/interface'
import { answer, GET, POST, type Schemas } from '../api'
import { choicesOf, useListAddress } from '../list-address'
import { Panel } from '../parts/details'
import { EmptyState } from '../parts/empty-state'
import { type Filter, Filters } from '../parts/filters'
import { Id, ObjectLink } from '../parts/id'
import { Loaded } from '../parts/loaded'
import { PageHead } from '../parts/page-head'
import { Status } from '../parts/status'
import { Table } from '../parts/table'
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
        <Table
          title="Queues"
          rows={waiting}
          keyOf={({ name }) => name}
          columns={[
            { name: 'Queue', cell: ({ name }) => name },
            { name: 'Due', right: true, look: 'num', cell: ({ due }) => due.toLocaleString('en') },
            { name: 'Oldest waits', right: true, look: 'num', cell: ({ oldest_age_seconds }) => ageOf(oldest_age_seconds) },
          ]}
        />
      )}
    </Panel>
  )
}

function JobTable({ jobs, again }: { jobs: readonly Job[]; again(job: Job): void }): ReactElement {
  return (
    <Table
      title="Jobs that fail"
      rows={jobs}
      keyOf={({ kind, job_id }) => `${kind} ${job_id}`}
      actions="What can be done"
      columns={[
        {
          name: 'State',
          cell: ({ isolated_at }) => <Status status={isolated_at ? 'isolated' : 'tried again'} family={isolated_at ? 'no' : 'way'} />,
        },
        { name: 'Queue', cell: ({ kind }) => kind },
        { name: 'Object', look: 'mono', cell: ({ object }) => <ObjectLink id={object} /> },
        { name: 'Merchant', cell: ({ merchant_id }) => <Id id={merchant_id} short /> },
        {
          name: 'Reason',
          hint: ({ reason }) => reason,
          cell: ({ reason }) => reason ?? <span className="faint">none is known</span>,
        },
        { name: 'Tries', right: true, look: 'num', cell: ({ tries }) => tries },
        { name: 'Since', right: true, cell: ({ since }) => <Ago at={since} /> },
        {
          name: '',
          right: true,
          cell: job => (
            <Button variant="default" size="xs" aria-label={`Try again ${job.kind} ${job.object}`} onClick={() => again(job)}>
              Try again…
            </Button>
          ),
        },
      ]}
    />
  )
}

type AgainProps = { job: Job; close(): void; done(): void }

function TryAgain({ job: { kind, object, job_id }, close, done }: AgainProps): ReactElement {
  return (
    <Confirm
      title="Try this job again?"
      act="Try it again"
      acting="Letting it go…"
      keep="Not now"
      close={close}
      consequence={
        <p>
          {kind} of {object} is tried at the next tick, and its tries are counted from zero.{' '}
          {kind === 'webhook_endpoint'
            ? 'What waits for the endpoint is sent to it.'
            : 'It does what it was going to do, once: a processor that was asked already is asked what became of it.'}
        </p>
      }
      send={async key => {
        await answer(POST('/jobs/{job_id}/retry', { params: { path: { job_id }, header: { 'Idempotency-Key': key } } }))
        done()
      }}
    />
  )
}

const filtersOf = (queues: readonly Schemas['Queue'][]): Filter[] => [
  { name: 'kind', label: 'Queue', kind: 'one of', choices: choicesOf([...queues.map(({ name }) => name), 'webhook_endpoint']) },
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

/** Shows the page for operators of the deployment: jobs that are due, and jobs that keep failing. */
export default function Jobs(): ReactElement {
  const { chosen, isFiltered, show, choose } = useListAddress('/settings/jobs')
  const queries = useQueryClient()
  const [retried, setRetried] = useState<Job | null>(null)
  const [notice, setNotice] = useState<string | null>(null)
  const asked = useQuery({
    queryKey: ['jobs', chosen],
    queryFn: () => answer(GET('/jobs', { params: { query: chosen as unknown as Query } })),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_EVERY_MS,
  })
  return (
    <>
      <PageHead title="Jobs" />
      <Filters filters={filtersOf(asked.data?.queues ?? [])} chosen={chosen} choose={choose} />
      {notice !== null && (
        <p className="note plain spaced" role="status">
          {notice}
        </p>
      )}
      <Loaded what="Jobs" asked={asked}>
        {page => (
          <div className="stack">
            <Panel title="Jobs that fail" hint={page && String(page.size)}>
              {page?.size === 0 ? (
                <EmptyState clear={isFiltered ? () => show({}) : null} title="No job fails." />
              ) : (
                <div className={asked.isPlaceholderData ? 'older' : undefined} aria-busy={page === undefined || asked.isPlaceholderData}>
                  {page && <JobTable jobs={page.data} again={setRetried} />}
                </div>
              )}
            </Panel>
            <Queues queues={page?.queues} />
          </div>
        )}
      </Loaded>
      <Suspense>
        {retried !== null && (
          <TryAgain
            job={retried}
            close={() => setRetried(null)}
            done={() => {
              setNotice(`${retried.kind} of ${retried.object} is tried again.`)
              void queries.invalidateQueries({ queryKey: ['jobs'] })
            }}
          />
        )}
      </Suspense>
    </>
  )
}
