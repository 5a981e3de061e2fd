import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactElement, useEffect, useState } from 'react'
import { isUncertain, plural, useLabels } from '../facts'
import { answer, Failure, GET, type LedgerEntry, POST, type Refund } from '../interface'
import { usePageObject } from '../page-object'
import { Details, Panel } from '../parts/details'
import { Failed } from '../parts/failed'
import { Icon } from '../parts/icons'
import { Id } from '../parts/id'
import { Money, withCurrency } from '../parts/money'
import { Status, StatusMark } from '../parts/status'
import { Ago, Exact } from '../parts/time'
import { Trail } from '../parts/trail'

/** What the refund did to the ledger, both sides. */
function Entries({ refund }: { refund: Refund }): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: ['ledger', refund.refund_id, refund.status],
    queryFn: () => answer(GET('/ledger/entries', { params: { query: { object_id: refund.refund_id, limit: 100 } } })),
  })
  const entries = data?.data as LedgerEntry[] | undefined
  return (
    <Panel title="Ledger" hint={entries && plural(entries.length, 'entry', 'entries')}>
      {error && entries === undefined ? (
        <div className="in">
          <Failed what="The ledger" error={error} again={() => void refetch()} />
        </div>
      ) : entries?.length === 0 ? (
        <p className="blank">Nothing is posted: no money has moved for certain.</p>
      ) : (
        <div className="tw">
          <table aria-label="Ledger entries">
            <thead>
              <tr>
                <th scope="col">Account</th>
                <th scope="col" className="n">
                  Debit
                </th>
                <th scope="col" className="n">
                  Credit
                </th>
                <th scope="col" className="n wide">
                  When
                </th>
              </tr>
            </thead>
            <tbody>
              {entries?.flatMap(entry =>
                entry.lines.map(line => (
                  <tr key={`${entry.entry_id} ${line.account}`}>
                    <td>{line.account}</td>
                    <td className="n">{line.debit > 0 && <Money amount={line.debit} currency={entry.currency} />}</td>
                    <td className="n">{line.credit > 0 && <Money amount={line.credit} currency={entry.currency} />}</td>
                    <td className="n wide">
                      <Ago at={entry.created} />
                    </td>
                  </tr>
                )),
              )}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  )
}

/** What is certain about it, in words. */
function Certainty({ refund }: { refund: Refund }): ReactElement {
  const amount = withCurrency(refund.amount, refund.currency)
  const [family, words] =
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
        {words} {refund.error_code && <span className="code">{refund.error_code}</span>}
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
        {error && <Failed what="refund" error={error} again={() => void refetch()} />}
      </>
    )
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
        <Trail list="/refunds" name="Refunds" />
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
              {asking === 'asking' ? 'Asking…' : 'Ask the processor'}
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
          <Entries refund={refund} />
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
