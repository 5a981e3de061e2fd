import { Button, FileButton } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { answer, DELETE, Failure, GET, PUT, type Schemas } from '../../api'
import { LoadError } from '../../parts/load-error'
import { StatusMark } from '../../parts/status'

type Kind = Schemas['DeleteEvidenceRequest']['evidence_type']

const labels: Record<Kind, string> = {
  receipt: 'Receipt',
  shipping_documentation: 'Proof of delivery',
  customer_communication: 'Letters with the customer',
  customer_signature: 'Signature of the customer',
  service_documentation: 'Proof of the service',
  refund_policy: 'Refund policy',
  cancellation_policy: 'Cancellation policy',
  recurring_transaction_agreement: 'Agreement to recurring payments',
  invoice_showing_distinct_transactions: 'Invoices of distinct payments',
  uncategorized_file: 'Anything else',
}

const TAKEN = 'application/pdf,image/jpeg,image/png'

/**
 * Shows the files that the processor accepts as a checklist. The service stores attached files until the evidence is
 * submitted.
 */
export function EvidenceFiles({ dispute_id, kinds }: { dispute_id: string; kinds: readonly string[] }): ReactElement | null {
  const queries = useQueryClient()
  const [notices, setNotices] = useState<Partial<Record<Kind, string>>>({})
  const key = ['disputes', dispute_id, 'files']
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: () => answer(GET('/disputes/evidence/{dispute_id}', { params: { path: { dispute_id } } })),
  })
  const taken = (Object.keys(labels) as Kind[]).filter(kind => kinds.includes(kind))
  if (taken.length === 0) return null
  if (error && data === undefined) return <LoadError what="Files" error={error} retry={() => void refetch()} />
  const send = async (kind: Kind, acting: string, call: () => Promise<unknown>) => {
    setNotices({ ...notices, [kind]: acting })
    try {
      await call()
      setNotices({ ...notices, [kind]: undefined })
      await queries.invalidateQueries({ queryKey: key })
    } catch (why) {
      setNotices({ ...notices, [kind]: why instanceof Failure ? `${why.message} (${why.code}). ${why.help ?? ''}` : String(why) })
    }
  }
  const attach = (kind: Kind, file: File | null) => {
    if (file === null) return
    const form = new FormData()
    form.set('dispute_id', dispute_id)
    form.set('evidence_type', kind)
    form.set('file', file)
    void send(kind, 'Attaching…', () => answer(PUT('/disputes/evidence', { body: {} as never, bodySerializer: () => form })))
  }
  const remove = (evidence_type: Kind) =>
    void send(evidence_type, 'Removing…', () => answer(DELETE('/disputes/evidence', { body: { dispute_id, evidence_type } })))
  return (
    <ul className="files" aria-label="Files">
      {taken.map(kind => {
        const file = data?.find(one => one.evidence_type === kind)?.file_metadata_response
        const isBusy = notices[kind]?.endsWith('…') === true
        return (
          <li key={kind}>
            <StatusMark family={file ? 'done' : 'waits'} size={16} />
            <span className="grow">
              <b className="strong">{labels[kind]}</b>
              <span className="muted cut-block">
                {notices[kind] ??
                  (file ? `${kind}: ${file.file_name ?? file.file_id}, ${Math.ceil(file.file_size / 1000)} kB` : `${kind}: PDF or image`)}
              </span>
            </span>
            {file && (
              <Button variant="default" size="xs" disabled={isBusy} onClick={() => remove(kind)} aria-label={`Remove ${labels[kind]}`}>
                Remove
              </Button>
            )}
            <FileButton
              accept={TAKEN}
              onChange={one => attach(kind, one)}
              inputProps={{ 'aria-label': `File: ${labels[kind]}`, tabIndex: -1 }}
            >
              {props => (
                <Button
                  {...props}
                  variant="default"
                  size="xs"
                  disabled={isBusy}
                  aria-label={`${file ? 'Replace' : 'Attach'} ${labels[kind]}`}
                >
                  {file ? 'Replace' : 'Attach'}
                </Button>
              )}
            </FileButton>
          </li>
        )
      })}
    </ul>
  )
}
