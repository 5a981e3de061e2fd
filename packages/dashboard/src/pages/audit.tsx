import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { paths } from '../../.made/interface'
import { answer, GET, type Schemas } from '../api'
import { plural } from '../format'
import { LIMIT, useListAddress } from '../list-address'
import { EmptyState } from '../parts/empty-state'
import { type Filter, Filters } from '../parts/filters'
import { Id } from '../parts/id'
import { Loaded } from '../parts/loaded'
import { PageHead } from '../parts/page-head'
import { Pagination } from '../parts/pagination'
import { Table } from '../parts/table'
import { Ago, exactly } from '../parts/time'
import { usePermission, useSession } from '../session'

type Entry = Schemas['AuditEntry']
type Query = paths['/audit']['get']['parameters']['query']

const filters: readonly Filter[] = [
  { name: 'object_kind', label: 'Kind', kind: 'text', hint: 'connector_account' },
  { name: 'object_id', label: 'Object', kind: 'text', hint: 'its id' },
  { name: 'type', label: 'Change', kind: 'text', hint: 'updated' },
  { name: 'by', label: 'By', kind: 'text', hint: 'user usr_…' },
  { name: 'request_id', label: 'Request', kind: 'text', hint: 'of the header x-request-id' },
]

/**
 * Returns a function that names the author of a change. Users who may see the team get the author's e-mail address.
 */
function usePeople(): (by: string | null) => string {
  const { user } = useSession()
  const maySee = usePermission()('users:read')
  const { data } = useQuery({ queryKey: ['team'], queryFn: () => answer(GET('/user/list')), enabled: maySee })
  const people = new Map((data?.data ?? []).map(one => [`user ${one.user_id}`, one.email]))
  return by => (by === null ? 'the service itself' : by === `user ${user?.user_id}` ? (user?.email ?? by) : (people.get(by) ?? by))
}

const formatValue = (value: unknown): string =>
  value === undefined ? '–' : typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)

function Changed({ entry: { entry, was, set } }: { entry: Entry }): ReactElement {
  const names = Object.keys(was ?? {})
  if (names.length === 0) return <p className="in muted">Nothing was before: this is how it began, or it was only looked at.</p>
  return (
    <Table
      title="What was changed"
      label={`Change ${entry}`}
      className="changed"
      rows={names}
      keyOf={name => name}
      columns={[
        { name: 'What', look: 'mono', cell: name => name },
        { name: 'Was', look: 'mono muted', cell: name => formatValue(was?.[name]) },
        {
          name: 'Became',
          look: 'mono',
          cell: name => (set === null ? <span className="faint">it is gone</span> : formatValue(set[name])),
        },
      ]}
    />
  )
}

function Line({ entry, whoIs }: { entry: Entry; whoIs(by: string | null): string }): ReactElement {
  const mayOpen = usePermission()('logs:read')
  return (
    <li>
      <details>
        <summary>
          <span className="audit-when">
            <Ago at={entry.created} />
          </span>
          <b className="strong">
            {entry.object_kind.replaceAll('_', ' ')} {(entry.type ?? 'changed').replaceAll('_', ' ')}
          </b>{' '}
          <span className="mono muted break">{entry.object_id}</span> <span className="grow" />{' '}
          <span className="muted break">{whoIs(entry.by)}</span>
        </summary>
        <Changed entry={entry} />
        <div className="in row-wrap audit-more">
          <span className="muted">{exactly(entry.created)}</span>
          <span className="tag">v{entry.version}</span>
          {entry.address && <span className="muted">from {entry.address}</span>}
          {entry.request_id &&
            (mayOpen ? (
              <Link to="/developers/logs" search={{ request_id: entry.request_id }} className="link mono">
                {entry.request_id}
              </Link>
            ) : (
              <Id id={entry.request_id} />
            ))}
          <Link to="/settings/audit" search={{ object_kind: entry.object_kind, object_id: entry.object_id }} className="link">
            All changes of it
          </Link>
        </div>
      </details>
    </li>
  )
}

export default function Audit(): ReactElement {
  const { chosen, filters: rest, isFiltered, show, choose } = useListAddress('/settings/audit')
  const { user } = useSession()
  const seesAll = usePermission()('audit:read')
  const whoIs = usePeople()
  const asked = useQuery({
    queryKey: ['audit', chosen],
    queryFn: () => answer(GET('/audit', { params: { query: { ...chosen, limit: LIMIT } as unknown as Query } })),
    placeholderData: keepPreviousData,
    // Each look at the audit log is recorded in it, so the page is read again only when the user asks for it.
    refetchOnWindowFocus: false,
    staleTime: 30_000,
  })
  const { isPlaceholderData } = asked
  return (
    <>
      <PageHead title="Audit log" />
      {!seesAll && <p className="muted spaced">Your role, {user?.role}, sees what you have changed yourself.</p>}
      <Filters filters={filters} chosen={chosen} choose={choose} every />
      <Loaded what="The audit log" asked={asked}>
        {page =>
          page?.data.length === 0 ? (
            <div className="panel">
              <EmptyState clear={isFiltered ? () => show({}) : null} title="Nothing was changed yet." />
            </div>
          ) : (
            <div className="panel" aria-busy={page === undefined || isPlaceholderData}>
              <ol className={isPlaceholderData ? 'tries older' : 'tries'} aria-label="Changes, the latest first">
                {page?.data.map(entry => (
                  <Line key={entry.entry} entry={entry} whoIs={whoIs} />
                ))}
              </ol>
              {page && (
                <Pagination
                  older={page.data.length === LIMIT ? () => show({ ...rest, before_entry: String(page.data.at(-1)!.entry) }) : null}
                  newer={chosen.before_entry ? () => show(rest) : null}
                  text={`${plural(page.data.length, 'change')}; each look at this log is one of them`}
                />
              )}
            </div>
          )
        }
      </Loaded>
    </>
  )
}
