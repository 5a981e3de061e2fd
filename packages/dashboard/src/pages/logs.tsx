import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { paths } from '../../.made/interface'
import { answer, GET, type Schemas } from '../api'
import { plural } from '../format'
import { type Chosen, choicesOf, LIMIT, useListAddress } from '../list-address'
import { none } from '../parts/cells'
import { shortId } from '../parts/id'
import { ListLayout, type ListLook } from '../parts/list-page'
import { Pagination } from '../parts/pagination'
import { StatusMark } from '../parts/status'
import { Ago } from '../parts/time'
import { useTail } from './logs/tail'

type Log = Schemas['RequestLog']
type Query = paths['/logs']['get']['parameters']['query']

const logs: ListLook<Log> = {
  title: 'Request log',
  rowsName: 'Requests',
  path: '/developers/logs',
  idOf: ({ log_id }) => log_id,
  to: ({ log_id }) => `/developers/logs/${log_id}`,
  columns: [
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
    { name: 'Code', cell: log => (log.error_code ? <span className="code">{log.error_code}</span> : none) },
    { name: 'Object', wide: true, cell: log => (log.object_id ? <span className="mono">{shortId(log.object_id)}</span> : none) },
    { name: 'By', wide: true, cell: log => <span className="muted">{log.by.split(' ')[0]}</span> },
    { name: 'Took', right: true, cell: log => <span className="num">{log.latency_ms} ms</span> },
    { name: 'When', right: true, cell: log => <Ago at={log.created} /> },
  ],
  filters: [
    { name: 'only_failed', label: 'Failed', kind: 'one of', choices: [{ value: 'true', label: 'only' }] },
    { name: 'method', label: 'Method', kind: 'one of', choices: choicesOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) },
    { name: 'route', label: 'Route', kind: 'text', hint: '/payments/{payment_id}' },
    { name: 'status', label: 'Status', kind: 'text', hint: '400' },
    { name: 'error_code', label: 'Code', kind: 'text', hint: 'IR_04' },
    { name: 'object_id', label: 'Object', kind: 'text', hint: 'pay_…' },
    { name: 'by', label: 'By', kind: 'text', hint: 'secret_key snd_…' },
    { name: 'request_id', label: 'Request', kind: 'text', hint: 'of the header x-request-id' },
  ],
  empty: {
    title: 'No request is in the log.',
    hint: 'With REQUEST_LOG_DAYS=0 a deployment keeps no request log. REQUEST_LOG_DAYS=30 keeps it for 30 days.',
  },
}

export default function Logs(): ReactElement {
  const found = useListAddress(logs.path)
  const { chosen, filters, isFirst, show } = found
  const { follow } = useSearch({ strict: false }) as Chosen
  const isFollowed = follow === 'true'
  const address = { ...found, choose: (name: string, value: string) => show({ ...filters, ...(follow && { follow }), [name]: value }) }
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['logs', chosen],
    queryFn: () => answer(GET('/logs', { params: { query: { ...chosen, limit: LIMIT } as unknown as Query } })),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })
  const { came, newer } = useTail(filters, data?.data, isFirst && !isPlaceholderData, isFollowed)
  const rows = data && [...came, ...data.data]
  return (
    <ListLayout
      of={logs}
      {...{ address, rows, newer, error, isPlaceholderData, refetch }}
      areAllFilters={false}
      acts={
        isFirst && (
          <Button
            variant="default"
            aria-pressed={isFollowed}
            leftSection={isFollowed ? <span className="dot" /> : undefined}
            onClick={() => show({ ...filters, ...(isFollowed ? {} : { follow: 'true' }) })}
          >
            {isFollowed ? 'Live' : 'Follow'}
          </Button>
        )
      }
      pagination={
        <Pagination
          older={data?.data.length === LIMIT ? () => show({ ...filters, before_log: data.data.at(-1)!.log_id }) : null}
          newer={chosen.before_log ? () => show(filters) : null}
          text={plural(rows?.length ?? 0, 'request')}
        />
      }
    />
  )
}
