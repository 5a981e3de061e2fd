import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { answer, GET, type Schemas } from '../api'
import { AccountName } from '../parts/cells'
import { Details } from '../parts/details'
import { Id, ObjectLink } from '../parts/id'
import { Money, withCurrency } from '../parts/money'
import { ObjectHead, ObjectPage } from '../parts/object-page'
import { Status, StatusMark } from '../parts/status'
import { Due, Exact } from '../parts/time'
import { usePermission } from '../session'
import { Evidence, type Texts } from './dispute/evidence'

const Decide = lazy(() => import('./dispute/dialogs'))

type Dispute = Schemas['Dispute']

const nameOf = ({ amount, currency }: Dispute): string => `Dispute of ${withCurrency(Number(amount), currency)}`

function Head({ dispute, accept }: { dispute: Dispute; accept: (() => void) | null }): ReactElement {
  return (
    <ObjectHead
      list={{ to: '/disputes', name: 'Disputes' }}
      title={<Money amount={Number(dispute.amount)} currency={dispute.currency} />}
      isAmount
      status={<Status status={dispute.dispute_status} pill />}
      sub={
        <>
          <span>{[dispute.connector_reason, dispute.connector_reason_code].filter(Boolean).join(' ')}</span>
          <Id id={dispute.dispute_id} />
        </>
      }
      acts={
        accept && (
          <div className="acts">
            <Button variant="default" onClick={accept}>
              Accept…
            </Button>
          </div>
        )
      }
    />
  )
}

function About({ dispute }: { dispute: Dispute }): ReactElement {
  return (
    <aside aria-label="Details">
      <Details
        title="Dispute"
        lines={[
          ['Payment', <ObjectLink key="payment" id={dispute.payment_id} whole />],
          ['Stage', dispute.dispute_stage],
          ['Account', <AccountName key="account" of={dispute} />],
          ['There', <Id key="there" id={dispute.connector_dispute_id} />],
          ['Due', dispute.challenge_required_by && <Exact at={dispute.challenge_required_by} />],
          ['Opened', <Exact key="opened" at={dispute.created_at} />],
          ['Refunded already', dispute.is_already_refunded && 'yes'],
        ]}
      />
    </aside>
  )
}

/** Says what is asked of the merchant: evidence by a day, or nothing. */
function Asked({ dispute }: { dispute: Dispute }): ReactElement | null {
  const { challenge_required_by, dispute_status, connector_status } = dispute
  if (dispute_status !== 'dispute_opened')
    return (
      <div className="note plain">
        <p>
          Nothing is asked of you now: it is {dispute_status} ({connector_status}).
        </p>
      </div>
    )
  if (!challenge_required_by) return null
  return (
    <div className="note person">
      <StatusMark family="person" size={16} />
      <p>
        <b className="strong">
          Due <Due at={challenge_required_by} />.
        </b>{' '}
        Without evidence by then the money stays with the customer.
      </p>
    </div>
  )
}

export default function DisputePage(): ReactElement {
  const { dispute_id = '' } = useParams({ strict: false })
  const mayWrite = usePermission()('disputes:write')
  const [deciding, setDeciding] = useState<{ texts: Texts | null } | null>(null)
  const asked = useQuery({
    queryKey: ['disputes', dispute_id],
    queryFn: async () => (await answer(GET('/disputes/{dispute_id}', { params: { path: { dispute_id } } }))) as Dispute,
  })
  const isOpen = asked.data?.dispute_status === 'dispute_opened'
  const { data: draft } = useQuery({
    queryKey: ['disputes', dispute_id, 'draft'],
    queryFn: () => answer(GET('/disputes/{dispute_id}/draft', { params: { path: { dispute_id } } })),
    enabled: isOpen,
  })
  return (
    <ObjectPage
      kind="dispute"
      asked={asked}
      object={dispute => ({
        id: dispute_id,
        name: nameOf(dispute),
        read: `/disputes/${dispute_id}`,
        tab: `${nameOf(dispute)}, ${dispute.dispute_status}`,
      })}
    >
      {dispute => (
        <>
          <Head dispute={dispute} accept={isOpen && mayWrite ? () => setDeciding({ texts: null }) : null} />
          <div className="beside">
            <div className="stack">
              <Asked dispute={dispute} />
              {isOpen && mayWrite && draft && <Evidence dispute={dispute} draft={draft} submit={texts => setDeciding({ texts })} />}
            </div>
            <About dispute={dispute} />
          </div>
          <Suspense>{deciding !== null && <Decide dispute={dispute} texts={deciding.texts} close={() => setDeciding(null)} />}</Suspense>
        </>
      )}
    </ObjectPage>
  )
}
