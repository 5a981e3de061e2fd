import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { Schemas } from '../../api'
import { percent } from '../../format'
import { pageOf } from '../../objects'
import { AccountName, none } from '../../parts/cells'
import { Panel } from '../../parts/details'
import { type Asked, Loaded } from '../../parts/loaded'
import { Money, withCurrency } from '../../parts/money'
import { StatusMark } from '../../parts/status'
import { Table } from '../../parts/table'
import { Ago, Due } from '../../parts/time'

type Attention = Schemas['Attention']
type Item = Schemas['AnalyticsBreakdownItem']
type Amounts = readonly { currency: string; amount: number }[]

const placeOf = ({ object_kind, object_id, payment_id }: Attention): string =>
  object_kind === 'approval'
    ? '/approvals'
    : object_kind === 'payment' || object_kind === 'dispute'
      ? (pageOf(object_id) ?? `/payments/${payment_id ?? object_id}`)
      : object_kind === 'refund'
        ? `/refunds/${object_id}`
        : object_kind === 'connector_account'
          ? '/connectors'
          : object_kind === 'webhook_endpoint'
            ? `/developers/webhooks?endpoint_id=${object_id}`
            : '/developers/keys'

export function NeedsPerson({ asked }: { asked: Asked<Schemas['AttentionList']> }): ReactElement {
  const { data } = asked
  return (
    <Panel title="Needs attention" hint={data && `${data.size}${data.has_more ? ' and more' : ''}`}>
      <Loaded what="What needs attention" asked={asked} isPadded>
        {() =>
          data?.size === 0 ? (
            <p className="blank">Nothing needs attention.</p>
          ) : (
            <ul className="needs">
              {data?.data.map(one => (
                <li key={`${one.kind} ${one.object_id}`}>
                  <Link to={placeOf(one)}>
                    <StatusMark family={one.severity === 'high' ? 'no' : 'person'} size={16} />
                    <span className="grow">
                      <span className="strong">
                        {one.amount !== null && one.currency !== null && `${withCurrency(one.amount, one.currency)} `}
                        {one.kind.replaceAll('_', ' ')}
                      </span>
                      <span className="muted cut-block">
                        {one.message} {one.code && `(${one.code})`}
                      </span>
                    </span>
                    <span className="faint">
                      {one.due ? (
                        <>
                          due <Due at={one.due} />
                        </>
                      ) : (
                        <Ago at={one.since} />
                      )}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}

type ItemsProps = { asked: Asked<{ data: readonly Item[] }> }

/** Keeps the room of what is being read. */
const room = <div className="in waits-here" aria-busy="true" />

export function ByAccount({ asked }: ItemsProps): ReactElement {
  return (
    <Panel title="By processor account">
      <Loaded what="By processor account" asked={asked} isPadded>
        {page =>
          page === undefined ? (
            room
          ) : page.data.length === 0 ? (
            <p className="blank">No payment was sent to a processor in this period.</p>
          ) : (
            <Table
              title="By processor account"
              rows={page.data}
              keyOf={({ key }) => String(key.merchant_connector_id)}
              columns={[
                {
                  name: 'Account',
                  look: 'strong',
                  cell: ({ key: { merchant_connector_id } }) => (
                    <AccountName of={{ merchant_connector_id, connector: merchant_connector_id ?? 'none' }} />
                  ),
                },
                { name: 'Attempts', right: true, look: 'num', cell: ({ attempts }) => (attempts?.decided ?? 0).toLocaleString('en') },
                { name: 'Attempts authorized', right: true, look: 'num', cell: ({ attempts }) => percent(attempts?.rate) },
                { name: 'Captured', right: true, cell: ({ captured }) => <Captured amounts={captured?.amounts ?? []} /> },
                { name: 'p50', right: true, look: 'num', cell: ({ latency }) => `${latency?.p50_ms ?? '–'} ms` },
                { name: 'p95', right: true, look: 'num', cell: ({ latency }) => `${latency?.p95_ms ?? '–'} ms` },
              ]}
            />
          )
        }
      </Loaded>
    </Panel>
  )
}

function Captured({ amounts: [first, ...others] }: { amounts: Amounts }): ReactElement {
  if (first === undefined) return none
  return (
    <>
      <Money amount={first.amount} currency={first.currency} />
      {others.length > 0 && <span className="faint"> +{others.length}</span>}
    </>
  )
}

export function WhyDeclined({ asked }: ItemsProps): ReactElement {
  const declined = (asked.data?.data ?? [])
    .filter(({ key, attempts }) => key.error_code && (attempts?.declined ?? 0) > 0)
    .toSorted((a, b) => (b.attempts?.declined ?? 0) - (a.attempts?.declined ?? 0))
  const most = declined[0]?.attempts?.declined ?? 1
  return (
    <Panel
      title="Why attempts were declined"
      hint={asked.data && declined.reduce((all, one) => all + (one.attempts?.declined ?? 0), 0).toLocaleString('en')}
    >
      <Loaded what="Why attempts were declined" asked={asked} isPadded>
        {page =>
          page === undefined ? (
            room
          ) : declined.length === 0 ? (
            <p className="blank">Nothing was declined.</p>
          ) : (
            <dl className="bars">
              {declined.slice(0, 8).map(({ key, attempts: { declined: count = 0 } = {} }) => (
                <div key={key.error_code}>
                  <dt className="mono cut">{key.error_code}</dt>
                  <dd>
                    <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                      <rect width="100" height="6" fill="var(--line)" />
                      <rect width={(count / most) * 100} height="6" fill="var(--text-3)" />
                    </svg>
                    <span className="num">{count}</span>
                  </dd>
                </div>
              ))}
            </dl>
          )
        }
      </Loaded>
    </Panel>
  )
}
