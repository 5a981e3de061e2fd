import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useEffect, useState } from 'react'
import { answer, GET, POST } from '../../api'
import { AccountName } from '../../parts/cells'
import { Icon } from '../../parts/icons'
import { LoadError } from '../../parts/load-error'
import { Money } from '../../parts/money'
import { More } from '../../parts/more'
import { Note } from '../../parts/note'
import { type Pages, usePages } from '../../parts/pages'
import { StatusMark } from '../../parts/status'
import { SubmitError, useSubmit } from '../../parts/submit'
import { Table, TablePanel } from '../../parts/table'
import { Ago } from '../../parts/time'
import { usePermission } from '../../session'
import { causes } from './causes'
import { csvOf, FileLines } from './file-lines'
import { familyOfFile, isBeingRead, resultOf, type SettlementFile } from './file-result'

const LOOK_EVERY_MS = 1_000

/** Queries the uploaded files, the latest first, again while one is being read. */
export function useFiles(merchant_connector_id: string | undefined): Pages<SettlementFile> {
  const pages = usePages<SettlementFile>(
    ['reconciliation', 'files', merchant_connector_id],
    starting_after =>
      answer(
        GET('/reconciliation/files', {
          params: {
            query: { limit: 20, ...(merchant_connector_id && { merchant_connector_id }), ...(starting_after && { starting_after }) },
          },
        }),
      ),
    ({ settlement_file_id }) => settlement_file_id,
  )
  return pages
}

/** Shows the first differences of a file that was held: none of them is kept. */
function Examples({ file: { examples } }: { file: SettlementFile }): ReactElement | null {
  if (!examples || examples.length === 0) return null
  const side = (amount: number | null, currency: string | null) =>
    amount === null || currency === null ? <span className="faint">none</span> : <Money amount={amount} currency={currency} />
  return (
    <Table
      isPaired
      title="First differences"
      rows={examples.slice(0, 10).map((one, n) => ({ ...one, n }))}
      keyOf={({ n }) => String(n)}
      columns={[
        { name: 'Line', look: 'num', cell: ({ at }) => at?.toLocaleString('en') },
        { name: 'Cause', cell: ({ cause, text }) => text ?? causes[cause].title },
        { name: 'Here', right: true, cell: ({ ours, currency }) => side(ours, currency) },
        { name: 'Their report', right: true, cell: ({ theirs, currency }) => side(theirs, currency) },
      ]}
    />
  )
}

/** Shows the choice about a file that was held: take what matches, or nothing. */
function HeldActions({ file: { settlement_file_id }, changed }: { file: SettlementFile; changed(): void }): ReactElement {
  const path = { settlement_file_id }
  const taking = useSubmit(async key => {
    await answer(POST('/reconciliation/files/{settlement_file_id}/take', { params: { path, header: { 'Idempotency-Key': key } } }))
    changed()
  })
  const discarding = useSubmit(async key => {
    await answer(POST('/reconciliation/files/{settlement_file_id}/discard', { params: { path, header: { 'Idempotency-Key': key } } }))
    changed()
  })
  const isBusy = taking.isBusy || discarding.isBusy
  return (
    <>
      <div className="row-wrap">
        <Button size="xs" disabled={isBusy} onClick={() => void taking.go()}>
          {taking.isBusy ? 'Booking…' : 'Book what matches'}
        </Button>
        <Button size="xs" variant="default" disabled={isBusy} onClick={() => void discarding.go()}>
          {discarding.isBusy ? 'Discarding…' : 'Discard the file'}
        </Button>
      </div>
      <SubmitError failure={taking.failure ?? discarding.failure} />
    </>
  )
}

const nameOf = ({ name, merchant_connector_id }: SettlementFile): string =>
  name ?? (merchant_connector_id === null ? 'Statement' : 'Report')

function useChanged(): () => void {
  const queries = useQueryClient()
  return () => void Promise.all([['reconciliation'], ['ledger'], ['attention']].map(queryKey => queries.invalidateQueries({ queryKey })))
}

/** Follows a file that was just sent until it is read, and says in one sentence what it has changed. */
export function SentFile({ settlement_file_id, close }: { settlement_file_id: string; close(): void }): ReactElement {
  const mayWrite = usePermission()('ledger:write')
  const changed = useChanged()
  const {
    data: file,
    error,
    refetch,
  } = useQuery({
    queryKey: ['reconciliation', 'file', settlement_file_id],
    queryFn: () => answer(GET('/reconciliation/files/{settlement_file_id}', { params: { path: { settlement_file_id } } })),
    refetchInterval: ({ state }) => (state.data && !isBeingRead(state.data) ? false : LOOK_EVERY_MS),
  })
  const state = file?.state
  // biome-ignore lint/correctness/useExhaustiveDependencies: that the file is read is what changes the page
  useEffect(() => {
    if (file && !isBeingRead(file)) changed()
  }, [state])
  if (error && file === undefined) return <LoadError what="The file" error={error} retry={() => void refetch()} />
  const isDone = file !== undefined && !isBeingRead(file)
  return (
    <Note
      family={file ? familyOfFile(file) : 'way'}
      role="status"
      isSpaced
      act={
        isDone && (
          <Button variant="default" size="xs" onClick={close}>
            Done
          </Button>
        )
      }
    >
      <div className="stack near">
        <p>
          <b className="strong">{file ? nameOf(file) : 'The file'}:</b> {file ? resultOf(file) : 'It is being read.'}
        </p>
        {file && !isDone && <progress aria-label={`Reading ${nameOf(file)}`} />}
        {file?.state === 'held' && mayWrite && <HeldActions file={file} changed={changed} />}
      </div>
    </Note>
  )
}

function Beneath({ file }: { file: SettlementFile }): ReactElement {
  const mayWrite = usePermission()('ledger:write')
  const changed = useChanged()
  const { settlement_file_id, state, counts, merchant_connector_id, digest } = file
  const isReport = merchant_connector_id !== null
  return (
    <div className="stack">
      {state === 'held' && mayWrite && <HeldActions file={file} changed={changed} />}
      <Examples file={file} />
      {isReport && state === 'done' && <FileLines settlement_file_id={settlement_file_id} />}
      <p className="row-wrap muted small">
        {isReport && state === 'done' && (
          <a href={csvOf(settlement_file_id)} download className="link">
            Export its lines as CSV
          </a>
        )}
        {counts && digest && <span title={digest}>Checksum {digest.slice(0, 12)}…</span>}
      </p>
    </div>
  )
}

/** Shows the uploaded files with their results; the lines that matched open beneath them. */
export function Files({ files }: { files: Pages<SettlementFile> }): ReactElement {
  const [opened, setOpened] = useState<string | null>(null)
  return (
    <TablePanel
      isPaired
      title="Files"
      hint={files.data && `${files.hasMore ? 'the latest ' : ''}${files.data.length}`}
      asked={files}
      none={<p className="blank">No file yet.</p>}
      keyOf={({ settlement_file_id }) => settlement_file_id}
      beneath={file => (file.settlement_file_id === opened ? <Beneath file={file} /> : null)}
      columns={[
        {
          name: 'File',
          cell: file => (
            <button
              type="button"
              className="fold"
              aria-expanded={file.settlement_file_id === opened}
              onClick={() => setOpened(file.settlement_file_id === opened ? null : file.settlement_file_id)}
            >
              <Icon name={file.settlement_file_id === opened ? 'lower' : 'right'} size={12} />
              <span className="cut" title={nameOf(file)}>
                {nameOf(file)}
              </span>
            </button>
          ),
        },
        {
          name: 'Of',
          cell: ({ merchant_connector_id }) =>
            merchant_connector_id === null ? 'your bank' : <AccountName of={{ merchant_connector_id }} />,
        },
        {
          name: 'Result',
          look: 'says',
          cell: file => (
            <span className="row">
              <StatusMark family={familyOfFile(file)} /> {resultOf(file)}
            </span>
          ),
        },
        { name: 'Uploaded', right: true, cell: ({ created }) => <Ago at={created} /> },
      ]}
      foot={<More of={files} />}
    />
  )
}
