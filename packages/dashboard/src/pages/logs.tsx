import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactElement, useEffect } from 'react'
import type { paths } from '../../.made/interface'
import { answer, GET, type Schemas } from '../api'
import { plural } from '../format'
import { EmptyState } from '../parts/empty-state'
import { type Chosen, type Filter, Filters, useChosen } from '../parts/filters'
import { shortId } from '../parts/id'
import { type Column, List } from '../parts/list'
import { Pagination } from '../parts/pagination'
import { StatusMark } from '../parts/status'
import { Ago } from '../parts/time'
import { useTail } from './logs/tail'

type Log = Schemas['RequestLog']
type Query = paths['/logs']['get']['parameters']['query']

const LIMIT = 50
const choices = (values: readonly string[]) => values.map(value => ({ value, label: value }))
const filters: readonly Filter[] = [
  { name: 'only_failed', label: 'Failed', kind: 'one of', choices: [{ value: 'true', label: 'only' }] },
  { name: 'method', label: 'Method', kind: 'one of', choices: choices(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) },
  { name: 'route', label: 'Route', kind: 'text', hint: '/payments/{payment_id}' },
  { name: 'status', label: 'Status', kind: 'text', hint: '400' },
  { name: 'error_code', label: 'Code', kind: 'text', hint: 'IR_04' },
  { name: 'object_id', label: 'Object', kind: 'text', hint: 'pay_…' },
  { name: 'by', label: 'By', kind: 'text', hint: 'secret_key snd_…' },
  { name: 'request_id', label: 'Request', kind: 'text', hint: 'of the header x-request-id' },
]

const columns: readonly Column<Log>[] = [
  {
    name: 'Request',
    cell: log => (
      <span className="row">
        <StatusMark family={log.status < 400 ? 'done' : log.status < 500 ? 'no' : 'person'} />
        <span className="mono">{log.method}</span> {log.route}
      </span>
    ),
  },
  { name: 'Answer', right: true, cell: log => <span className="num">{log.status}</span> },
  { name: 'Code', cell: log => (log.error_code ? <span className="code">{log.error_code}</span> : <span className="faint">–</span>) },
  {
    name: 'Object',
    wide: true,
    cell: log => (log.object_id ? <span className="mono">{shortId(log.object_id)}</span> : <span className="faint">–</span>),
  },
  { name: 'By', wide: true, cell: log => <span className="muted">{log.by.split(' ')[0]}</span> },
  { name: 'Took', right: true, cell: log => <span className="num">{log.latency_ms} ms</span> },
  { name: 'When', right: true, cell: log => <Ago at={log.created} /> },
]

export default function Logs(): ReactElement {
  const chosen = useChosen()
  const navigate = useNavigate()
  const { before_log, after_log, follow, ...rest } = chosen
  const asked = { ...rest, ...(before_log && { before_log }), ...(after_log && { after_log }) }
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['logs', asked],
    queryFn: () => answer(GET('/logs', { params: { query: { ...asked, limit: LIMIT } as unknown as Query } })),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })
  const isFirst = !before_log && !after_log
  const { came, newer } = useTail(rest, data?.data, isFirst && !isPlaceholderData, follow === 'true')
  useEffect(() => {
    document.title = 'Request log · Switchyard'
  }, [])
  const show = (search: Chosen) => void navigate({ to: '/developers/logs', search })
  const rows = data && [...came, ...data.data]
  const isFiltered = Object.values(rest).some(Boolean)
  return (
    <>
      <div className="head">
        <h1>Request log</h1>
        {isFirst && (
          <div className="acts">
            <Button
              variant="default"
              aria-pressed={follow === 'true'}
              leftSection={follow === 'true' ? <span className="dot" /> : undefined}
              onClick={() => show({ ...rest, ...(follow === 'true' ? {} : { follow: 'true' }) })}
            >
              {follow === 'true' ? 'Live' : 'Follow'}
            </Button>
          </div>
        )}
      </div>
      <Filters filters={filters} chosen={chosen} choose={(name, value) => show({ ...rest, ...(follow && { follow }), [name]: value })} />
      <List
        of="Requests"
        columns={columns}
        rows={rows}
        newer={newer}
        error={error}
        isStale={isPlaceholderData}
        again={() => void refetch()}
        idOf={log => log.log_id}
        to={log => `/developers/logs/${log.log_id}`}
        empty={
          <EmptyState
            clear={isFiltered ? () => show({}) : null}
            title="No request is in the log."
            hint="With REQUEST_LOG_DAYS=0 a deployment keeps no request log. REQUEST_LOG_DAYS=30 keeps it for 30 days."
          />
        }
        foot={
          rows &&
          data && (
            <Pagination
              older={data.data.length === LIMIT ? () => show({ ...rest, before_log: data.data.at(-1)!.log_id }) : null}
              newer={before_log ? () => show(rest) : null}
              text={plural(rows.length, 'request')}
            />
          )
        }
      />
    </>
  )
}
