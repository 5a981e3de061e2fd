import { Button, FileButton } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useEffect, useRef } from 'react'
import { answer, GET, POST, type Schemas } from '../../api'
import { Panel } from '../../parts/details'
import { Loaded } from '../../parts/loaded'
import { Code } from '../../parts/scrollable'
import { Status } from '../../parts/status'
import { SubmitError, useSubmit } from '../../parts/submit'
import { Table } from '../../parts/table'
import { Ago } from '../../parts/time'

type Batch = Schemas['BlocklistBatch']

const isOpen = ({ status }: Batch): boolean => !['completed', 'failed'].includes(status)
const familyOf = ({ status, failed_rows }: Batch) =>
  status === 'failed' ? 'no' : status !== 'completed' ? 'way' : failed_rows > 0 ? 'person' : 'done'

function Progress({ batch }: { batch: Batch }): ReactElement {
  const { total_rows, succeeded_rows, failed_rows } = batch
  const share = (rows: number) => (rows / Math.max(1, total_rows)) * 100
  return (
    <span className="rate num">
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="6" fill="var(--line)" />
        <rect width={share(succeeded_rows)} height="6" fill="var(--done-fill)" />
        <rect x={share(succeeded_rows)} width={share(failed_rows)} height="6" fill="var(--no-fill)" />
      </svg>
      {succeeded_rows + failed_rows} of {total_rows}
    </span>
  )
}

/**
 * Imports files of blocklist entries. The service accepts a file at once and processes it later; the page polls until
 * it is processed.
 */
export function Files({ mayWrite }: { mayWrite: boolean }): ReactElement {
  const queries = useQueryClient()
  const file = useRef<File | null>(null)
  const reset = useRef<() => void>(null)
  const asked = useQuery({
    queryKey: ['blocklist', 'files'],
    queryFn: () => answer(GET('/blocklist/batch', { params: { query: { limit: 20 } } })),
    refetchInterval: query => (query.state.data?.data.some(isOpen) ? 1_000 : false),
  })
  // Entries of a file appear in the list as soon as they are blocked.
  const done = asked.data?.data.reduce((sum, one) => sum + one.succeeded_rows, 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the lines that are done are what changes the list
  useEffect(() => void queries.invalidateQueries({ queryKey: ['blocklist', 'list'] }), [queries, done])
  const sending = useSubmit(async key => {
    const form = new FormData()
    form.append('file', file.current!)
    const params = { header: { 'Idempotency-Key': key } }
    await answer(POST('/blocklist/batch', { params, body: form as never, bodySerializer: body => body }))
    await queries.invalidateQueries({ queryKey: ['blocklist'] })
  })
  return (
    <Panel
      title="Files"
      hint="CSV with the header type,data"
      acts={
        <FileButton
          resetRef={reset}
          accept=".csv,text/csv"
          onChange={chosen => {
            file.current = chosen
            reset.current?.()
            if (chosen) void sending.go()
          }}
          inputProps={{ 'aria-label': 'CSV file' }}
        >
          {props => (
            <Button
              {...props}
              variant="default"
              size="xs"
              disabled={!mayWrite || sending.isBusy}
              title={mayWrite ? undefined : 'Your role does not block.'}
            >
              {sending.isBusy ? 'Importing…' : 'Import a file…'}
            </Button>
          )}
        </FileButton>
      }
    >
      {sending.failure && (
        <div className="in">
          <SubmitError failure={sending.failure} />
        </div>
      )}
      <Loaded what="Files" asked={asked} isPadded>
        {page =>
          page?.data.length === 0 ? (
            <div className="blank">
              <p>No file yet. A line is a type (card_bin, extended_card_bin, fingerprint) and what is blocked.</p>
              <Code>{'type,data\ncard_bin,400001\nextended_card_bin,40000200'}</Code>
            </div>
          ) : (
            <Table
              title="Imported files"
              rows={page?.data}
              keyOf={({ job_id }) => job_id}
              columns={[
                { name: 'Status', cell: batch => <Status status={batch.status} family={familyOf(batch)} /> },
                { name: 'Lines', cell: batch => <Progress batch={batch} /> },
                { name: 'Refused', look: 'num', cell: ({ failed_rows }) => failed_rows },
                { name: 'Imported', cell: ({ created_at }) => <Ago at={created_at} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Panel>
  )
}
