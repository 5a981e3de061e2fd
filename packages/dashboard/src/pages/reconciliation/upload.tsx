import { Button, FileButton, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type DragEvent, type ReactElement, useEffect, useRef, useState } from 'react'
import { plural } from '../../format'
import { none } from '../../parts/cells'
import { Panel } from '../../parts/details'
import { Icon } from '../../parts/icons'
import { Choice } from '../../parts/inputs'
import { LoadError } from '../../parts/load-error'
import { Money } from '../../parts/money'
import { Note } from '../../parts/note'
import { SubmitError, useSubmit } from '../../parts/submit'
import { Table } from '../../parts/table'
import { dayInWords } from '../../parts/time'
import { useAccountsByLabel } from '../../queries'
import { useIsMerchantWide, usePermission, useSession } from '../../session'
import { kindOfLine } from './causes'
import { missingIn, ReportColumns } from './report-columns'
import { type Columns, type Looked, lookInto, type Preview, type PreviewLine, upload } from './upload-file'

const BANK = 'bank'

type DropProps = { isFirst: boolean; choose(file: File): void }

/** Shows the place where files are dropped. */
function Drop({ isFirst, choose }: DropProps): ReactElement {
  const { user } = useSession()
  const mayWrite = usePermission()('ledger:write')
  const [isOver, setOver] = useState(false)
  const reset = useRef<() => void>(null)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(mayWrite)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (mayWrite && file) choose(file)
  }
  return (
    <section
      className="drop"
      aria-label="Upload a file"
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Icon name="up" />
      <p className="grow">
        {mayWrite ? (
          <>
            <b className="strong">Drop a processor’s report or a bank statement here.</b>{' '}
            <span className="muted">
              CSV or CAMT.053. Whose it is and how it is read is found by its columns, and shown before anything is booked.
              {isFirst && ' Until the first one, fees and payouts are unknown.'}
            </span>
          </>
        ) : (
          <span className="muted">Your role, {user?.role}, sees what was reconciled, and takes no files.</span>
        )}
      </p>
      <FileButton
        resetRef={reset}
        accept=".csv,.txt,.tsv,.xml,text/csv,text/xml,application/xml"
        onChange={file => {
          reset.current?.()
          if (file) choose(file)
        }}
        inputProps={{ 'aria-label': 'Report or bank statement', tabIndex: -1 }}
      >
        {props => (
          <Button {...props} variant="default" disabled={!mayWrite}>
            Choose a file…
          </Button>
        )}
      </FileButton>
    </section>
  )
}

/** Shows the first lines of a report as they are read. */
function FirstLines({ preview }: { preview: Preview }): ReactElement | null {
  const lines = (preview.lines as PreviewLine[]).slice(0, 5).map((line, n) => ({ ...line, n }))
  if (lines.length === 0) return null
  return (
    <Table
      isPaired
      title="First lines as they are read"
      rows={lines}
      keyOf={({ n }) => String(n)}
      columns={[
        { name: 'Kind', cell: ({ type }) => kindOfLine(type) },
        { name: 'Reference', look: 'mono cut', cell: ({ reference, request_id }) => reference ?? request_id ?? none },
        { name: 'Amount', right: true, cell: ({ gross, currency }) => <Money amount={gross} currency={currency} /> },
        { name: 'Fee', right: true, cell: ({ fee, currency }) => <Money amount={fee} currency={currency} /> },
        { name: 'Settled', right: true, cell: ({ net, currency }) => <Money amount={net} currency={currency} /> },
        { name: 'Day', right: true, look: 'num', cell: ({ booked_at }) => (booked_at ? dayInWords(booked_at) : none) },
      ]}
    />
  )
}

type Problem = { at: number; problem: string; text: string }

function Problems({ preview: { problems, counts, missing } }: { preview: Preview }): ReactElement | null {
  const [first, ...others] = problems as Problem[]
  if (first === undefined || missing.length > 0) return null
  return (
    <Note family="person">
      <p className="strong">{plural(counts.unread, 'line')} cannot be read; each stays open as a difference.</p>
      {[first, ...others].slice(0, 3).map(({ at, problem, text }) => (
        <p key={at}>
          Line {at}: {problem}. <span className="mono break">{text.slice(0, 120)}</span>
        </p>
      ))}
    </Note>
  )
}

/** Returns the accounts whose report it can be: those of the vendor whose form it has, else all. */
function useOwners(looked: Looked) {
  const accounts = useAccountsByLabel()
  const vendor = looked.kind === 'report' ? looked.preview.reader?.split('_')[0] : undefined
  const fitting = accounts.filter(({ connector }) => connector === vendor)
  const isReport = looked.kind === 'report' && looked.preview.missing.length === 0
  return { accounts: fitting.length > 0 ? fitting : accounts, isReport }
}

type AskProps = { file: File; merchant_connector_id: string | undefined; close(): void; sent(settlement_file_id: string): void }

/** Says why a file cannot be sent as it is chosen; null if it can. */
function whyNot(looked: Looked, owner: string | null): string | null {
  if (owner === null) return 'Say whose file it is.'
  if (looked.kind !== 'report' || owner === BANK) return null
  const { preview } = looked
  if (preview.missing.length > 0) return `Say which column is ${missingIn(preview)}.`
  return preview.lines.length === 0 ? 'No line of it can be read.' : null
}

function Ask({
  looked,
  columns,
  change,
  ...props
}: AskProps & { looked: Looked; columns: Columns | null; change(columns: Columns): void }): ReactElement {
  const { file, merchant_connector_id, close, sent } = props
  const isWhole = useIsMerchantWide()
  const { accounts, isReport: isLikeReport } = useOwners(looked)
  const [only, another] = accounts
  const usual =
    accounts.find(one => one.merchant_connector_id === merchant_connector_id) ?? (another === undefined && isLikeReport ? only : undefined)
  const [chosen, setOwner] = useState(looked.kind === 'statement' ? BANK : null)
  const owner = chosen ?? usual?.merchant_connector_id ?? null
  const [isAllOrNothing, setAllOrNothing] = useState(false)
  const [share, setShare] = useState(0)
  const isReport = looked.kind === 'report' && owner !== BANK
  const isOwned = isReport && owner !== null
  const preview = looked.kind === 'report' ? looked.preview : null
  const sending = useSubmit(async key => {
    const mode = isAllOrNothing ? 'all or nothing' : 'what matches'
    const to = { merchant_connector_id: owner === BANK ? null : owner, mode, columns: isReport ? columns : null } as const
    sent((await upload(file, to, { key, progress: setShare })).settlement_file_id)
    close()
  })
  const why = whyNot(looked, owner)
  const isGeneral = preview?.reader === 'general'
  return (
    <>
      <div className="in stack">
        <div className="asks">
          <Choice
            label="Whose file is it?"
            placeholder="Choose"
            data={[
              ...(looked.kind === 'statement' ? [] : accounts.map(one => ({ value: one.merchant_connector_id, label: one.label }))),
              ...(isWhole ? [{ value: BANK, label: 'My bank’s statement' }] : []),
            ]}
            value={owner as string}
            change={setOwner}
          />
          {isReport && (
            <Switch
              label="All or nothing"
              description="Books nothing unless every line matches"
              checked={isAllOrNothing}
              onChange={event => setAllOrNothing(event.currentTarget.checked)}
            />
          )}
        </div>
        {isOwned && isGeneral && preview && preview.missing.length > 0 && (
          <Note family="person" role="status">
            <p className="strong">It is not known which column is {missingIn(preview)}.</p>
            <p>No processor’s report has these columns. Say below what they mean; the first lines show how they are read.</p>
          </Note>
        )}
        {isOwned && isGeneral && preview && <ReportColumns preview={preview} columns={columns} change={change} />}
        {isReport && preview && <Problems preview={preview} />}
      </div>
      {isReport && preview && <FirstLines preview={preview} />}
      {sending.failure && (
        <div className="in">
          <SubmitError failure={sending.failure} lost="Sending it again changes nothing: lines are booked once." />
        </div>
      )}
      <div className="foot-bar">
        <Button disabled={why !== null || sending.isBusy} onClick={() => void sending.go()}>
          {sending.isBusy ? (share > 0 ? `Uploading, ${Math.floor(share * 100)} %` : 'Uploading…') : 'Read it'}
        </Button>
        <Button variant="default" disabled={sending.isBusy} onClick={close}>
          Not this file
        </Button>
        {why !== null && <span>{why}</span>}
      </div>
    </>
  )
}

/** Says what a file was taken for. */
function kindOf(looked: Looked | undefined): string {
  if (looked === undefined) return 'Looking into it…'
  if (looked.kind === 'statement') return 'a bank statement'
  if (looked.kind === 'stranger') return 'not readable'
  const { reader, title, counts, missing } = looked.preview
  if (missing.length > 0) return 'columns that are not known'
  const lines = counts.isWhole ? plural(counts.lines, 'line') : `more than ${plural(counts.lines, 'line')}`
  return reader === null || reader === 'general' ? lines : `${title}, ${lines}`
}

/** Shows what a chosen file is and how it is read, and asks before anything is booked. */
function ChosenFile(props: AskProps): ReactElement {
  const { file, close } = props
  const [columns, setColumns] = useState<Columns | null>(null)
  const heading = useRef<HTMLDivElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { data, error, refetch } = useQuery({
    queryKey: ['reconciliation preview', file.name, file.size, file.lastModified, columns],
    queryFn: () => lookInto(file, columns),
    placeholderData: before => before,
    retry: false,
    gcTime: 0,
  })
  return (
    <div ref={heading} tabIndex={-1} className="chosen-file">
      <Panel title={file.name} hint={kindOf(data)}>
        {error && data === undefined ? (
          <div className="in">
            <LoadError what="The file" error={error} retry={() => void refetch()} />
          </div>
        ) : data === undefined ? (
          <div className="in waits-here" aria-busy="true" />
        ) : data.kind === 'stranger' ? (
          <>
            <div className="in">
              <Note family="no" role="alert">
                <p className="strong">It cannot be read.</p>
                <p>{data.problem}</p>
              </Note>
            </div>
            <div className="foot-bar">
              <Button variant="default" onClick={close}>
                Choose another
              </Button>
            </div>
          </>
        ) : (
          <Ask {...props} looked={data} columns={columns} change={setColumns} />
        )}
      </Panel>
    </div>
  )
}

type Props = { isFirst: boolean; merchant_connector_id: string | undefined; sent(settlement_file_id: string): void }

/** Takes files: they are dropped or chosen, looked into, and sent when a person says so. */
export function Upload({ isFirst, merchant_connector_id, sent }: Props): ReactElement {
  const [file, setFile] = useState<File | null>(null)
  return file === null ? (
    <Drop isFirst={isFirst} choose={setFile} />
  ) : (
    <ChosenFile
      key={`${file.name} ${file.lastModified} ${file.size}`}
      file={file}
      merchant_connector_id={merchant_connector_id}
      close={() => setFile(null)}
      sent={sent}
    />
  )
}
