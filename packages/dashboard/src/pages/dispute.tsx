import { Button, Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react'
import { answer, Failure, GET, POST, PUT, type Schemas } from '../api'
import { usePageObject } from '../page-object'
import { Breadcrumb } from '../parts/breadcrumb'
import { Details, Panel } from '../parts/details'
import { Id, ObjectLink } from '../parts/id'
import { LoadError } from '../parts/load-error'
import { Money, withCurrency } from '../parts/money'
import { Status, StatusMark } from '../parts/status'
import { Ago, Due, Exact } from '../parts/time'
import { useLabels } from '../queries'
import { usePermission } from '../session'
import { EvidenceFiles } from './dispute/evidence-files'

const Confirm = lazy(() => import('../parts/confirm'))

type Dispute = Schemas['Dispute']
type Texts = Schemas['EvidenceDraft']['texts']
type TextName = keyof Texts

/** All texts that evidence can have, with their labels. */
const labels: Record<TextName, string> = {
  product_description: 'What was sold',
  customer_name: 'Name of the customer',
  customer_email_address: 'E-mail of the customer',
  customer_purchase_ip: 'Address from which it was bought',
  billing_address: 'Billing address',
  shipping_address: 'Shipping address',
  shipping_carrier: 'Carrier',
  shipping_date: 'Shipped on',
  shipping_tracking_number: 'Tracking number',
  service_date: 'Served on',
  access_activity_log: 'What was accessed, and when',
  refund_policy_disclosure: 'How the refund policy was shown',
  refund_refusal_explanation: 'Why no refund was due',
  cancellation_policy_disclosure: 'How the cancellation policy was shown',
  cancellation_rebuttal: 'Why it was not cancelled',
  uncategorized_text: 'Anything else',
}

/** Returns the texts and files that the processor accepts as evidence; all texts if the catalogue does not say. */
function useTaken(connector: string): { texts: TextName[]; files: readonly string[] } {
  const { data } = useQuery({
    queryKey: ['connectors', 'catalogue'],
    queryFn: () => answer(GET('/connectors')),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const entry = data?.data.find(({ name, also_called }) => name === connector || also_called.includes(connector))
  const taken = (entry?.evidence?.texts ?? []) as string[]
  const all = Object.keys(labels) as TextName[]
  return {
    texts: taken.length === 0 ? all : all.filter(name => taken.includes(name)),
    files: (entry?.evidence?.evidence_types ?? []) as string[],
  }
}

function Evidence({
  dispute,
  draft,
  submit,
}: {
  dispute: Dispute
  draft: Schemas['EvidenceDraft']
  submit(texts: Texts): void
}): ReactElement {
  const { dispute_id } = dispute
  const queries = useQueryClient()
  const { texts: names, files } = useTaken(dispute.connector)
  const [texts, setTexts] = useState<Texts>(draft.texts)
  const [notice, setNotice] = useState('')
  const filled = Object.fromEntries(Object.entries(texts).filter(([, text]) => text?.trim())) as Texts
  const save = async () => {
    try {
      await answer(PUT('/disputes/{dispute_id}/draft', { params: { path: { dispute_id } }, body: filled }))
      await queries.invalidateQueries({ queryKey: ['disputes', dispute_id, 'draft'] })
      setNotice('Saved. Nothing was handed in.')
    } catch (why) {
      setNotice(why instanceof Failure ? `Not saved: ${why.message} (${why.code})` : String(why))
    }
  }
  return (
    <Panel
      title="Evidence"
      hint={
        draft.updated_at ? (
          <>
            draft of <Ago at={draft.updated_at} />
          </>
        ) : (
          'nothing is handed in before you submit'
        )
      }
    >
      <div className="in stack">
        <EvidenceFiles dispute_id={dispute_id} kinds={files} />
        {names.map(name => (
          <Textarea
            key={name}
            label={labels[name]}
            autosize
            minRows={1}
            value={texts[name] ?? ''}
            onChange={event => {
              setNotice('')
              setTexts({ ...texts, [name]: event.currentTarget.value })
            }}
          />
        ))}
        <p role="status" className="muted">
          {notice}
        </p>
        <div className="row">
          <Button onClick={() => submit(filled)} disabled={Object.keys(filled).length === 0}>
            Submit evidence…
          </Button>
          <Button variant="default" onClick={() => void save()}>
            Save the draft
          </Button>
        </div>
      </div>
    </Panel>
  )
}

/**
 * Shows the dialog for a decision about a dispute: accept it, or submit evidence. It says what the decision does to
 * the money.
 */
function Decide({ dispute, texts, close }: { dispute: Dispute; texts: Texts | null; close(): void }): ReactElement {
  const queries = useQueryClient()
  const { dispute_id } = dispute
  const amount = withCurrency(Number(dispute.amount), dispute.currency)
  const account = useLabels()(dispute.merchant_connector_id, dispute.connector)
  if (texts === null)
    return (
      <Confirm
        title="Accept this dispute?"
        act={`Give up ${amount}`}
        acting="Accepting…"
        keep="Keep disputing"
        close={close}
        consequence={
          <p>
            <b className="strong">{amount} stay with the customer</b> and do not come back to your balance at {account}. It cannot be
            undone.
          </p>
        }
        send={async key => {
          const params = { path: { dispute_id }, header: { 'Idempotency-Key': key } }
          await answer(POST('/disputes/accept/{dispute_id}', { params }))
          await queries.invalidateQueries()
        }}
      />
    )
  return (
    <Confirm
      title="Submit this evidence?"
      act="Submit evidence"
      acting="Submitting…"
      keep="Not yet"
      close={close}
      consequence={
        <p>
          <b className="strong">
            {Object.keys(texts).length} texts go to {account}.
          </b>{' '}
          {amount} stay out of your balance until the bank decides. Most processors take evidence once.
        </p>
      }
      send={async key => {
        await answer(POST('/disputes/evidence', { params: { header: { 'Idempotency-Key': key } }, body: { dispute_id, ...texts } }))
        await queries.invalidateQueries()
      }}
    />
  )
}

export default function DisputePage(): ReactElement {
  const { dispute_id = '' } = useParams({ strict: false })
  const labelOf = useLabels()
  const mayWrite = usePermission()('disputes:write')
  const [asked, setAsked] = useState<{ texts: Texts | null } | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['disputes', dispute_id],
    queryFn: () => answer(GET('/disputes/{dispute_id}', { params: { path: { dispute_id } } })),
  })
  const dispute = data as Dispute | undefined
  const isOpen = dispute?.dispute_status === 'dispute_opened'
  const { data: draft } = useQuery({
    queryKey: ['disputes', dispute_id, 'draft'],
    queryFn: () => answer(GET('/disputes/{dispute_id}/draft', { params: { path: { dispute_id } } })),
    enabled: isOpen,
  })
  useEffect(() => {
    document.title = dispute
      ? `Dispute of ${withCurrency(Number(dispute.amount), dispute.currency)}, ${dispute.dispute_status} · Switchyard`
      : 'Dispute · Switchyard'
  }, [dispute])
  usePageObject(
    dispute === undefined
      ? null
      : { id: dispute_id, name: `Dispute of ${withCurrency(Number(dispute.amount), dispute.currency)}`, read: `/disputes/${dispute_id}` },
  )
  if (dispute === undefined)
    return (
      <>
        <h1 className="unseen">Dispute</h1>
        {error && <LoadError what="dispute" error={error} retry={() => void refetch()} />}
      </>
    )
  return (
    <>
      <div className="head of-object">
        <Breadcrumb list="/disputes" name="Disputes" />
        <div>
          <div className="row">
            <h1 className="amount">
              <Money amount={Number(dispute.amount)} currency={dispute.currency} />
            </h1>
            <Status status={dispute.dispute_status} pill />
          </div>
          <div className="sub">
            <span>{[dispute.connector_reason, dispute.connector_reason_code].filter(Boolean).join(' ')}</span>
            <Id id={dispute.dispute_id} />
          </div>
        </div>
        {isOpen && mayWrite && (
          <div className="acts">
            <Button variant="default" onClick={() => setAsked({ texts: null })}>
              Accept…
            </Button>
          </div>
        )}
      </div>
      <div className="beside">
        <div className="stack">
          {isOpen && dispute.challenge_required_by && (
            <div className="note person">
              <StatusMark family="person" size={16} />
              <p>
                <b className="strong">
                  Due <Due at={dispute.challenge_required_by} />.
                </b>{' '}
                Without evidence by then the money stays with the customer.
              </p>
            </div>
          )}
          {isOpen && mayWrite && draft ? (
            <Evidence dispute={dispute} draft={draft} submit={texts => setAsked({ texts })} />
          ) : (
            !isOpen && (
              <div className="note plain">
                <p>
                  Nothing is asked of you now: it is {dispute.dispute_status} ({dispute.connector_status}).
                </p>
              </div>
            )
          )}
        </div>
        <aside aria-label="Details">
          <Details
            title="Dispute"
            lines={[
              ['Payment', <ObjectLink key="payment" id={dispute.payment_id} whole />],
              ['Stage', dispute.dispute_stage],
              ['Account', labelOf(dispute.merchant_connector_id, dispute.connector)],
              ['There', <Id key="there" id={dispute.connector_dispute_id} />],
              ['Due', dispute.challenge_required_by && <Exact at={dispute.challenge_required_by} />],
              ['Opened', <Exact key="opened" at={dispute.created_at} />],
              ['Refunded already', dispute.is_already_refunded && 'yes'],
            ]}
          />
        </aside>
      </div>
      <Suspense>{asked !== null && <Decide dispute={dispute} texts={asked.texts} close={() => setAsked(null)} />}</Suspense>
    </>
  )
}
