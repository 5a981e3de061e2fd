import { Button, Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { answer, Failure, GET, PUT, type Schemas } from '../../api'
import { Panel } from '../../parts/details'
import { Ago } from '../../parts/time'
import { EvidenceFiles } from './evidence-files'

export type Texts = Schemas['EvidenceDraft']['texts']
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

type Props = { dispute: Schemas['Dispute']; draft: Schemas['EvidenceDraft']; submit(texts: Texts): void }

export function Evidence({ dispute, draft, submit }: Props): ReactElement {
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
