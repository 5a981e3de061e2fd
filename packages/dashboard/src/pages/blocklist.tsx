import { plural } from '../format'
import './settings.css'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react'
import { answer, GET, type Schemas } from '../api'
import { Panel } from '../parts/details'
import type { Chosen } from '../parts/filters'
import { LoadError } from '../parts/load-error'
import { Pagination } from '../parts/pagination'
import { Ago } from '../parts/time'
import { usePermission, useSession } from '../session'
import { Block, type Kind, kinds } from './blocklist/entry'
import { Files } from './blocklist/files'
import { GuardSwitch } from './blocklist/guard'

const Unblock = lazy(() => import('./blocklist/entry'))

type Entry = Schemas['BlocklistEntry']
const LIMIT = 50

const firstCurl = `curl ${location.origin}/blocklist -H "api-key: snd_…" -H "content-type: application/json" \\
  -d '{"type": "card_bin", "data": "400000"}'`

function Entries({ rows, unblock }: { rows: readonly Entry[] | undefined; unblock: ((entry: Entry) => void) | null }): ReactElement {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too
    <section className="tw" tabIndex={0} aria-label="Blocked">
      <table aria-label="Blocked">
        <thead>
          <tr>
            <th scope="col">Blocked</th>
            <th scope="col">Since</th>
            <th scope="col" className="n">
              <span className="unseen">Unblock</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows?.map(one => (
            <tr key={one.fingerprint_id}>
              <td className="mono">{one.fingerprint_id}</td>
              <td>
                <Ago at={one.created_at} />
              </td>
              <td className="n">
                <Button
                  variant="default"
                  size="xs"
                  disabled={unblock === null}
                  title={unblock === null ? 'Your role does not unblock.' : undefined}
                  aria-label={`Unblock ${one.fingerprint_id}`}
                  onClick={() => unblock?.(one)}
                >
                  Unblock…
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Listed({ kind, offset }: { kind: Kind; offset: number }): ReactElement {
  const navigate = useNavigate()
  const mayWrite = usePermission()('blocklist:write')
  const [asked, setAsked] = useState<Entry | null>(null)
  const { data_kind } = kind
  const { data, error, refetch } = useQuery({
    queryKey: ['blocklist', 'list', data_kind, offset],
    queryFn: () => answer(GET('/blocklist', { params: { query: { data_kind, limit: LIMIT, offset } } })),
    placeholderData: before => before,
  })
  const go = (to: number) => void navigate({ to: '/settings/blocklist', search: { data_kind, ...(to > 0 && { offset: String(to) }) } })
  return (
    <Panel title={kind.label} hint={data && `${data.total_count.toLocaleString('en')} blocked`}>
      {error && data === undefined ? (
        <div className="in">
          <LoadError what="The blocklist" error={error} retry={() => void refetch()} />
        </div>
      ) : data?.data.length === 0 ? (
        <div className="blank">
          <h2>Nothing of this kind is blocked.</h2>
          <p>{kind.expected}.</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too */}
          <pre tabIndex={0}>{firstCurl}</pre>
        </div>
      ) : (
        <>
          <Entries rows={data?.data} unblock={mayWrite ? setAsked : null} />
          <Pagination
            newer={offset > 0 ? () => go(Math.max(0, offset - LIMIT)) : null}
            older={data && offset + LIMIT < data.total_count ? () => go(offset + LIMIT) : null}
            text={data && plural(data.count, 'entry', 'entries')}
          />
        </>
      )}
      <Suspense>{asked && <Unblock entry={asked} close={() => setAsked(null)} />}</Suspense>
    </Panel>
  )
}

export default function Blocklist(): ReactElement {
  const chosen = useSearch({ strict: false }) as Chosen
  const { user } = useSession()
  const mayWrite = usePermission()('blocklist:write')
  const [notice, setNotice] = useState<string | null>(null)
  const kind = kinds.find(one => one.data_kind === chosen.data_kind) ?? kinds[0]
  useEffect(() => {
    document.title = 'Blocklist · Switchyard'
  }, [])
  return (
    <>
      <div className="head">
        <h1>Blocklist</h1>
      </div>
      <nav className="tabs" aria-label="Kinds of entries">
        {kinds.map(one => (
          <Link
            key={one.data_kind}
            to="/settings/blocklist"
            search={{ data_kind: one.data_kind }}
            activeOptions={{ exact: true }}
            aria-current={one === kind ? 'page' : undefined}
          >
            {one.label}
          </Link>
        ))}
      </nav>
      <div className="with-form">
        <div className="stack">
          <Listed key={kind.data_kind} kind={kind} offset={Number(chosen.offset) || 0} />
          <Files mayWrite={mayWrite} />
        </div>
        <div className="stack">
          <Panel title="Guard">
            <div className="in stack">
              <GuardSwitch />
            </div>
          </Panel>
          <Panel title="Block">
            <div className="in stack">
              {mayWrite ? (
                <Block key={kind.type} kind={kind} blocked={data => setNotice(`${data} is blocked.`)} />
              ) : (
                <p className="muted">Your role, {user?.role}, does not block. Owners and admins can change roles.</p>
              )}
              <p role="status">{notice}</p>
            </div>
          </Panel>
        </div>
      </div>
    </>
  )
}
