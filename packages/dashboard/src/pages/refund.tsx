import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactElement, useState } from 'react'
import { answer, Failure, GET, type LedgerEntry, POST, type Refund } from '../api'
import { AccountName, MadeBy } from '../parts/cells'
import { Details } from '../parts/details'
import { Icon } from '../parts/icons'
import { Id, ObjectLink } from '../parts/id'
import { EntriesPanel } from '../parts/ledger-entries'
import { Loaded } from '../parts/loaded'
import { Money, withCurrency } from '../parts/money'
import { ObjectHead, ObjectPage } from '../parts/object-page'
import { processorName } from '../parts/processor'
import { Status, StatusMark } from '../parts/status'
import { Ago, Exact } from '../parts/time'
import { isUncertain } from '../summaries'

function Certainty({ refund }: { refund: Refund }): ReactElement {
  const amount = withCurrency(refund.amount, refund.currency)
  const isOutside = refund.origin === 'external'
  const [family, text] =
    refund.status === 'succeeded'
      ? ([
          'done',
          `${processorName(refund.connector)} has said that ${amount} was refunded${isOutside ? ' there. Nobody did it here' : ''}.`,
        ] as const)
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

/** Shows a button that asks the processor about a refund, and why it could not be asked. */
function usePoll(refund_id: string): { button: ReactElement; error: ReactElement | null } {
  const queries = useQueryClient()
  const [failure, setFailure] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)
  const poll = async () => {
    setAsking(true)
    setFailure(null)
    try {
      await answer(POST('/refunds/sync', { body: { refund_id } }))
      await queries.invalidateQueries()
    } catch (why) {
      setFailure(why instanceof Failure ? `${why.message} (${why.code})` : String(why))
    }
    setAsking(false)
  }
  return {
    button: (
      <Button leftSection={<Icon name="again" />} disabled={isAsking} onClick={() => void poll()}>
        {isAsking ? 'Polling…' : 'Poll the processor'}
      </Button>
    ),
    error:
      failure === null ? null : (
        <p className="note no" role="alert">
          {failure}
        </p>
      ),
  }
}

function About({ refund }: { refund: Refund }): ReactElement {
  return (
    <aside aria-label="Details">
      <Details
        title="Refund"
        lines={[
          ['Payment', <ObjectLink key="payment" id={refund.payment_id} page="/payments/" whole />],
          ['Made', refund.origin === 'external' && <MadeBy of={refund} />],
          ['Reason', refund.reason],
          ['Account', <AccountName key="account" of={refund} />],
          ['At the processor', refund.connector_refund_id && <Id id={refund.connector_refund_id} />],
          ['Created', <Exact key="created" at={refund.created_at} />],
          ['Changed', <Exact key="changed" at={refund.updated_at} />],
        ]}
      />
    </aside>
  )
}

/** Shows the ledger entries of a refund: those of its payment that a request of the refund has posted. */
function Ledger({ refund: { refund_id, payment_id, status } }: { refund: Refund }): ReactElement {
  const operations = useQuery({
    queryKey: ['payments', payment_id, 'operations'],
    queryFn: () => answer(GET('/payments/{payment_id}/operations', { params: { path: { payment_id } } })),
  })
  return (
    <Loaded what="The ledger" asked={operations}>
      {page => {
        const requests = page?.data.filter(one => one.refund_id === refund_id).map(({ request_id }) => request_id)
        const isOfRefund = ({ request_id }: LedgerEntry) => request_id !== null && requests?.includes(request_id) === true
        return requests && <EntriesPanel object_id={payment_id} of={isOfRefund} since={status} />
      }}
    </Loaded>
  )
}

export default function RefundPage(): ReactElement {
  const { refund_id = '' } = useParams({ strict: false })
  const poll = usePoll(refund_id)
  const asked = useQuery({
    queryKey: ['refunds', refund_id],
    queryFn: async () => (await answer(GET('/refunds/{refund_id}', { params: { path: { refund_id } } }))) as Refund,
  })
  const nameOf = ({ amount, currency }: Refund) => `Refund of ${withCurrency(amount, currency)}`
  return (
    <ObjectPage
      kind="refund"
      asked={asked}
      object={refund => ({
        id: refund_id,
        name: nameOf(refund),
        read: `/refunds/${refund_id}`,
        tab: `${nameOf(refund)}, ${refund.status}`,
      })}
    >
      {refund => (
        <>
          <ObjectHead
            list={{ to: '/refunds', name: 'Refunds' }}
            title={<Money amount={refund.amount} currency={refund.currency} />}
            isAmount
            status={<Status status={refund.status} pill />}
            sub={
              <>
                <Ago at={refund.created_at} />
                <Id id={refund.refund_id} />
              </>
            }
            acts={isUncertain(refund) && <div className="acts">{poll.button}</div>}
          />
          {poll.error}
          <div className="beside">
            <div className="stack">
              <Certainty refund={refund} />
              <Ledger refund={refund} />
            </div>
            <About refund={refund} />
          </div>
        </>
      )}
    </ObjectPage>
  )
}
