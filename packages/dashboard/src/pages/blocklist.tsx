import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { answer, GET, type Schemas } from '../api'
import { plural } from '../format'
import { LIMIT, type ListAddress, useListAddress } from '../list-address'
import { Panel } from '../parts/details'
import { EmptyState } from '../parts/empty-state'
import { Loaded } from '../parts/loaded'
import { PageHead } from '../parts/page-head'
import { OffsetPagination } from '../parts/pagination'
import { Table } from '../parts/table'
import { TabLinks } from '../parts/tabs'
import { Ago } from '../parts/time'
import { usePermission, useSession } from '../session'
import { Block, type Kind, kinds } from './blocklist/entry'
import { Files } from './blocklist/files'
import { GuardSwitch } from './blocklist/guard'

const Unblock = lazy(() => import('./blocklist/entry'))

type Entry = Schemas['BlocklistEntry']
const firstCurl = `curl ${location.origin}/blocklist -H "api-key: snd_…" -H "content-type: application/json" \\
  -d '{"type": "card_bin", "data": "400000"}'`

type Unblocking = ((entry: Entry) => void) | null

function Entries({ rows, unblock }: { rows: readonly Entry[] | undefined; unblock: Unblocking }): ReactElement {
  return (
    <Table
      title="Blocked"
      rows={rows}
      keyOf={({ fingerprint_id }) => fingerprint_id}
      actions="Unblock"
      columns={[
        { name: 'Blocked', look: 'mono', cell: ({ fingerprint_id }) => fingerprint_id },
        { name: 'Since', cell: ({ created_at }) => <Ago at={created_at} /> },
        {
          name: '',
          right: true,
          cell: entry => (
            <Button
              variant="default"
              size="xs"
              disabled={unblock === null}
              title={unblock === null ? 'Your role does not unblock.' : undefined}
              aria-label={`Unblock ${entry.fingerprint_id}`}
              onClick={() => unblock?.(entry)}
            >
              Unblock…
            </Button>
          ),
        },
      ]}
    />
  )
}

function Blocked({ kind, address }: { kind: Kind; address: ListAddress }): ReactElement {
  const mayWrite = usePermission()('blocklist:write')
  const [unblocking, setUnblocking] = useState<Entry | null>(null)
  const { data_kind } = kind
  const offset = Number(address.chosen.offset) || 0
  const asked = useQuery({
    queryKey: ['blocklist', 'list', data_kind, offset],
    queryFn: () => answer(GET('/blocklist', { params: { query: { data_kind, limit: LIMIT, offset } } })),
    placeholderData: before => before,
  })
  return (
    <Panel title={kind.label} hint={asked.data && `${asked.data.total_count.toLocaleString('en')} blocked`}>
      <Loaded what="The blocklist" asked={asked} isPadded>
        {page =>
          page?.data.length === 0 ? (
            <EmptyState clear={null} title="Nothing of this kind is blocked." hint={`${kind.expected}.`} curl={firstCurl} />
          ) : (
            <>
              <Entries rows={page?.data} unblock={mayWrite ? setUnblocking : null} />
              <OffsetPagination total={page?.total_count ?? 0} address={address} text={page && plural(page.count, 'entry', 'entries')} />
            </>
          )
        }
      </Loaded>
      <Suspense>{unblocking && <Unblock entry={unblocking} close={() => setUnblocking(null)} />}</Suspense>
    </Panel>
  )
}

export default function Blocklist(): ReactElement {
  const address = useListAddress('/settings/blocklist')
  const { user } = useSession()
  const mayWrite = usePermission()('blocklist:write')
  const [notice, setNotice] = useState<string | null>(null)
  const kind = kinds.find(one => one.data_kind === address.chosen.data_kind) ?? kinds[0]
  return (
    <>
      <PageHead title="Blocklist" />
      <TabLinks
        label="Kinds of entries"
        to="/settings/blocklist"
        tabs={kinds.map(one => ({ name: one.label, search: { data_kind: one.data_kind }, isCurrent: one === kind }))}
      />
      <div className="with-form">
        <div className="stack">
          <Blocked key={kind.data_kind} kind={kind} address={address} />
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
