import { Button, SegmentedControl } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { answer, GET, POST, type Schemas } from '../api'
import { Panel } from '../parts/details'
import { Id, ObjectLink } from '../parts/id'
import { TextField } from '../parts/inputs'
import { Loaded } from '../parts/loaded'
import { withCurrency } from '../parts/money'
import { Note } from '../parts/note'
import { PageHead } from '../parts/page-head'
import { Status } from '../parts/status'
import type { Family } from '../parts/status-families'
import { Table } from '../parts/table'
import { Ago, Due } from '../parts/time'
import { type Permission, usePermission, useSession } from '../session'

const Confirm = lazy(() => import('../parts/confirm'))
const Limits = lazy(() => import('./approvals/limits'))

type Approval = Schemas['Approval']

/** The requests that can wait for approval, in words, with the permission that the second person needs. */
const operations: Record<string, { label: string; needs: Permission }> = {
  createRefund: { label: 'Refund', needs: 'payments:write' },
  cancelPostCapture: { label: 'Cancel after capture', needs: 'payments:write' },
  fulfillPayout: { label: 'Pay out', needs: 'payouts:write' },
  resolveSettlementDifference: { label: 'Write off', needs: 'ledger:write' },
  updateSecondPerson: { label: 'Change what needs a second person', needs: 'users:write' },
}
const families: Record<Approval['status'], Family> = {
  pending: 'person',
  approved: 'way',
  executed: 'done',
  refused: 'no',
  rejected: 'ended',
  expired: 'ended',
}

const asked = ({ operation, amount, currency }: Approval): string =>
  [operations[operation]?.label ?? operation, amount !== null && currency !== null && withCurrency(amount, currency)]
    .filter(Boolean)
    .join(' ')

function Consequence({ approval, as }: { approval: Approval; as: 'approve' | 'reject' }): ReactElement {
  const { operation, amount, currency, object_id, asked_by_name, asked_by } = approval
  const who = asked_by_name ?? asked_by
  const money = amount !== null && currency !== null ? withCurrency(amount, currency) : 'Money'
  if (as === 'reject')
    return (
      <p>
        <b className="strong">No money moves.</b> {who} can ask for it again.
      </p>
    )
  if (operation === 'updateSecondPerson')
    return (
      <p>
        <b className="strong">What needs a second person is changed</b> to what {who} asked for: {JSON.stringify(approval.request)}.
      </p>
    )
  if (operation === 'resolveSettlementDifference')
    return (
      <p>
        <b className="strong">{money} will be given up</b>, of a difference in a processor’s report, in the name of {who}.
      </p>
    )
  return (
    <p>
      <b className="strong">{operation === 'fulfillPayout' ? `${money} will be paid out` : `${money} will be given back`}</b>, of{' '}
      <span className="mono">{object_id}</span>, in the name of {who}. It cannot be called off.
    </p>
  )
}

function Decide({ approval, as, close }: { approval: Approval; as: 'approve' | 'reject'; close(): void }): ReactElement {
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const label = asked(approval)
  const isYes = as === 'approve'
  return (
    <Confirm
      title={isYes ? 'Approve this?' : 'Reject this?'}
      act={isYes ? `Approve: ${label}` : 'Reject it'}
      acting={isYes ? 'Approving…' : 'Rejecting…'}
      keep="Decide later"
      close={close}
      consequence={<Consequence approval={approval} as={as} />}
      send={async () => {
        const params = { path: { approval_id: approval.approval_id } }
        const body = reason.trim() === '' ? {} : { reason: reason.trim() }
        await answer(
          isYes ? POST('/approvals/{approval_id}/approve', { params, body }) : POST('/approvals/{approval_id}/reject', { params, body }),
        )
        await queries.invalidateQueries()
      }}
    >
      <TextField
        label="Reason"
        hint="Optional; it is shown to the person who asked"
        value={reason}
        maxLength={500}
        change={setReason}
        data-autofocus
      />
    </Confirm>
  )
}

/** Shows the result of the approval, or the time at which it expires. */
function Stands({ approval }: { approval: Approval }): ReactElement {
  const { status, expires_at, decided_at, decided_by_name, decided_by, reason, error_message, error_code } = approval
  if (status === 'pending')
    return (
      <span className="muted">
        expires <Due at={expires_at} />
      </span>
    )
  return (
    <span className="muted">
      {decided_by !== null && (
        <>
          {decided_by_name ?? decided_by}, <Ago at={decided_at} />
        </>
      )}
      {reason && <> · “{reason}”</>}
      {error_message && (
        <>
          {' '}
          · {error_message} <span className="code">{error_code}</span>
        </>
      )}
    </span>
  )
}

/** Says why the user cannot decide about an approval; undefined if the user can. */
function useWhyNot(): (approval: Approval) => string | undefined {
  const { user } = useSession()
  const may = usePermission()
  return ({ asked_by, operation }) =>
    user?.user_id === asked_by
      ? 'You have asked for this yourself: another person has to decide'
      : may(operations[operation]?.needs ?? 'payments:write')
        ? undefined
        : `Your role, ${user?.role}, cannot decide this`
}

type DecideAs = 'approve' | 'reject'
type TableProps = { all: readonly Approval[]; decide(approval: Approval, as: DecideAs): void }

function ApprovalTable({ all, decide }: TableProps): ReactElement {
  const { user } = useSession()
  const whyNot = useWhyNot()
  const button = (approval: Approval, as: DecideAs, label: string) => (
    <Button
      size="compact-sm"
      variant={as === 'reject' ? 'default' : 'filled'}
      disabled={whyNot(approval) !== undefined}
      onClick={() => decide(approval, as)}
      aria-label={`${label}: ${asked(approval)}`}
    >
      {label}
    </Button>
  )
  return (
    <div className="panel">
      <Table
        title="Approvals"
        rows={all}
        keyOf={({ approval_id }) => approval_id}
        actions="Decide"
        columns={[
          { name: 'Asked for', look: 'strong', cell: asked },
          {
            name: 'Of',
            cell: ({ object_kind, object_id, result_id }) =>
              object_kind === 'payment' ? <ObjectLink id={object_id} page="/payments/" whole /> : <Id id={result_id ?? object_id} />,
          },
          {
            name: 'By',
            cell: ({ asked_by, asked_by_name, created }) => (
              <>
                {user?.user_id === asked_by ? 'you' : (asked_by_name ?? asked_by)}, <Ago at={created} />
              </>
            ),
          },
          {
            name: 'How it stands',
            cell: approval => (
              <>
                <Status status={approval.status} family={families[approval.status]} /> <Stands approval={approval} />
              </>
            ),
          },
          {
            name: '',
            right: true,
            cell: approval =>
              approval.status === 'pending' && (
                <span className="acts" title={whyNot(approval)}>
                  {button(approval, 'reject', 'Reject')} {button(approval, 'approve', 'Approve')}
                </span>
              ),
          },
        ]}
      />
    </div>
  )
}

/** Shows which requests need a second person at this merchant. */
function Settings(): ReactElement {
  const mayWrite = usePermission()('users:write')
  const [isChanging, setChanging] = useState(false)
  const { data } = useQuery({ queryKey: ['approvals', 'settings'], queryFn: () => answer(GET('/approvals/settings')) })
  const list = (limits: Record<string, number>) =>
    Object.entries(limits)
      .map(([currency, amount]) => withCurrency(amount, currency))
      .join(', ')
  return (
    <Panel
      title="What needs a second person"
      acts={
        mayWrite &&
        data && (
          <Button variant="default" onClick={() => setChanging(true)}>
            Change…
          </Button>
        )
      }
    >
      <div className="in">
        <p>
          {data?.above === undefined
            ? 'Nothing: each person refunds and pays out alone.'
            : `Refunds of a payment, payouts, and differences that are written off, above ${list(data.above) || 'any amount'}; in other currencies any amount. API keys are never held.`}
        </p>
        {data?.operator_refunds_up_to !== undefined && <p>Operators refund up to {list(data.operator_refunds_up_to)} of a payment.</p>}
        {data?.maker_may_not_fulfill === true && <p>A payout is fulfilled by another person than the one who made it.</p>}
      </div>
      <Suspense>{isChanging && data && <Limits settings={data} close={() => setChanging(false)} />}</Suspense>
    </Panel>
  )
}

export default function Approvals(): ReactElement {
  const search = useSearch({ strict: false }) as { status?: string; asked?: string }
  const navigate = useNavigate()
  const [deciding, setDeciding] = useState<{ approval: Approval; as: DecideAs } | null>(null)
  const status = search.status === 'all' ? undefined : ('pending' as const)
  const found = useQuery({
    queryKey: ['approvals', status],
    queryFn: () => answer(GET('/approvals', { params: { query: { ...(status && { status }) } } })),
  })
  return (
    <>
      <PageHead
        title="Approvals"
        acts={
          <SegmentedControl
            aria-label="Which"
            value={status ?? 'all'}
            onChange={value => void navigate({ to: '/approvals', search: (value === 'all' ? { status: 'all' } : {}) as never })}
            data={[
              { value: 'pending', label: 'Waiting' },
              { value: 'all', label: 'All' },
            ]}
          />
        }
      />
      {search.asked !== undefined && (
        <Note family="person" role="status" isSpaced>
          <b className="strong">It waits for a second person.</b> Nothing was sent yet; it is sent once when another person approves.
        </Note>
      )}
      <div className="stack">
        <Loaded what="Approvals" asked={found}>
          {page =>
            page?.size === 0 ? (
              <div className="panel">
                <p className="blank">
                  {status === undefined ? 'Nothing was asked for yet that needs a second person.' : 'Nothing waits for a second person.'}
                </p>
              </div>
            ) : (
              page && <ApprovalTable all={page.data} decide={(approval, as) => setDeciding({ approval, as })} />
            )
          }
        </Loaded>
        <Settings />
      </div>
      <Suspense>{deciding !== null && <Decide {...deciding} close={() => setDeciding(null)} />}</Suspense>
    </>
  )
}
