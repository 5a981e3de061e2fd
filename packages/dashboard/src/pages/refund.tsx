import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactElement, useEffect, useState } from 'react'
import { answer, Failure, GET, type LedgerEntry, POST, type Refund } from '../api'
import { usePageObject } from '../page-object'
import { Breadcrumb } from '../parts/breadcrumb'
import { Details } from '../parts/details'
import { Icon } from '../parts/icons'
import { Id } from '../parts/id'
import { EntriesPanel } from '../parts/ledger-entries'
import { LoadError } from '../parts/load-error'
import { Money, withCurrency } from '../parts/money'
import { Status, StatusMark } from '../parts/status'
import { Ago, Exact } from '../parts/time'
import { useLabels } from '../queries'
import { isUncertain } from '../summaries'

/** Describes what is certain about the refund. */
function Certainty({ refund }: { refund: Refund }): ReactElement {
  const amount = withCurrency(refund.amount, refund.currency)
  const [family, text] =
    refund.status === 'succeeded'
      ? (['done', `${refund.connector} has said that ${amount} was refunded.`] as const)
      : refund.status === 'failed'
        ? (['no', `No money was given back. ${refund.error_message ?? ''}`] as const)
        : isUncertain(refund)
          ? ([
              'unknown',
              `It is not certain yet that ${amount} was refunded. Unknown is not failed: the amount stays reserved, and nothing is sent again.`,
            ] as const)
          : (['way', `${amount} is on its way back.`] as const)
  return (
    <div className={`note ${family === 'done' || family === 'way' ? 'plain' : family}`}>
      <StatusMark family={family} size={16} />
      <p>
        {text} {refund.error_code && <span className="code">{refund.error_code}</span>}
      </p>
    </div>
  )
}

export default function RefundPage(): ReactElement {
  const { refund_id = '' } = useParams({ strict: false })
  const queries = useQueryClient()
  const labelOf = useLabels()
  const [asking, setAsking] = useState<'no' | 'asking' | string>('no')
  const { data, error, refetch } = useQuery({
    queryKey: ['refunds', refund_id],
    queryFn: () => answer(GET('/refunds/{refund_id}', { params: { path: { refund_id } } })),
  })
  const refund = data as Refund | undefined
  const payment_id = refund?.payment_id ?? ''
  const operations = useQuery({
    queryKey: ['payments', payment_id, 'operations'],
    queryFn: () => answer(GET('/payments/{payment_id}/operations', { params: { path: { payment_id } } })),
    enabled: payment_id !== '',
  })
  useEffect(() => {
    document.title = refund
      ? `Refund of ${withCurrency(refund.amount, refund.currency)}, ${refund.status} · Switchyard`
      : 'Refund · Switchyard'
  }, [refund])
  usePageObject(
    refund === undefined
      ? null
      : { id: refund_id, name: `Refund of ${withCurrency(refund.amount, refund.currency)}`, read: `/refunds/${refund_id}` },
  )
  if (refund === undefined)
    return (
      <>
        <h1 className="unseen">Refund</h1>
        {error && <LoadError what="refund" error={error} retry={() => void refetch()} />}
      </>
    )
  const requests = operations.data?.data.filter(one => one.refund_id === refund_id).map(({ request_id }) => request_id)
  const isOfRefund = requests && (({ request_id }: LedgerEntry) => request_id !== null && requests.includes(request_id))
  const sync = async () => {
    setAsking('asking')
    try {
      await answer(POST('/refunds/sync', { body: { refund_id } }))
      setAsking('no')
      await queries.invalidateQueries()
    } catch (why) {
      setAsking(why instanceof Failure ? `${why.message} (${why.code})` : String(why))
    }
  }
  return (
    <>
      <div className="head of-object">
        <Breadcrumb list="/refunds" name="Refunds" />
        <div>
          <div className="row">
            <h1 className="amount">
              <Money amount={refund.amount} currency={refund.currency} />
            </h1>
            <Status status={refund.status} pill />
          </div>
          <div className="sub">
            <Ago at={refund.created_at} />
            <Id id={refund.refund_id} />
          </div>
        </div>
        {isUncertain(refund) && (
          <div className="acts">
            <Button leftSection={<Icon name="again" />} disabled={asking === 'asking'} onClick={() => void sync()}>
              {asking === 'asking' ? 'Polling…' : 'Poll the processor'}
            </Button>
          </div>
        )}
      </div>
      {asking !== 'no' && asking !== 'asking' && (
        <p className="note no" role="alert">
          {asking}
        </p>
      )}
      <div className="beside">
        <div className="stack">
          <Certainty refund={refund} />
          {isOfRefund && <EntriesPanel object_id={refund.payment_id} of={isOfRefund} since={refund.status} />}
          {operations.error && <LoadError what="The ledger" error={operations.error} retry={() => void operations.refetch()} />}
        </div>
        <aside aria-label="Details">
          <Details
            title="Refund"
            lines={[
              [
                'Payment',
                <Link key="payment" to="/payments/$payment_id" params={{ payment_id: refund.payment_id }} className="link mono">
                  {refund.payment_id}
                </Link>,
              ],
              ['Reason', refund.reason],
              ['Account', labelOf(refund.merchant_connector_id, refund.connector)],
              ['At the processor', refund.connector_refund_id && <Id id={refund.connector_refund_id} />],
              ['Created', <Exact key="created" at={refund.created_at} />],
              ['Changed', <Exact key="changed" at={refund.updated_at} />],
            ]}
          />
        </aside>
      </div>
    </>
  )
}
