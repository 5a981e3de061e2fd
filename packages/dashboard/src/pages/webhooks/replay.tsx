import { useQuery } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { answer, POST, type Schemas } from '../../api'
import { plural } from '../../format'
import Confirm from '../../parts/confirm'
import { Choice } from '../../parts/inputs'
import { LoadError } from '../../parts/load-error'

const HOUR = 3_600_000
const spans = [
  { value: '1', label: 'the last hour' },
  { value: '24', label: 'the last 24 hours' },
  { value: '72', label: 'the last 3 days' },
  { value: '720', label: 'the last 30 days' },
]

type Props = { endpoint: Schemas['WebhookEndpoint']; close(queued: number | null): void }

/**
 * Shows a dialog that sends missed events again, in the order in which they happened. It shows their number before.
 */
export default function Replay({ endpoint, close }: Props): ReactElement {
  const [hours, setHours] = useState('1')
  const [which, setWhich] = useState('failed')
  const [now] = useState(Date.now)
  const label = spans.find(({ value }) => value === hours)!.label
  const { endpoint_id } = endpoint
  const body = { created_after: new Date(now - Number(hours) * HOUR).toISOString(), only_failed: which === 'failed' }
  const counted = useQuery({
    queryKey: ['webhooks', endpoint_id, 'to replay', body],
    queryFn: () =>
      answer(POST('/webhook_endpoints/{endpoint_id}/replay', { params: { path: { endpoint_id } }, body: { ...body, dry_run: true } })),
  })
  const count = counted.data?.queued
  return (
    <Confirm
      title="Send events again?"
      act={`Replay ${label}`}
      acting="Queueing…"
      keep="Not now"
      close={() => close(null)}
      consequence={
        count === undefined ? null : (
          <p>
            <b className="strong">No money moves.</b> {which === 'failed' ? 'What did not arrive' : 'Everything'} of {label} goes to{' '}
            {endpoint.url} again: <b className="strong">{plural(count, 'event')}</b>, each object's in their order. A receiver that skips
            event ids it knows processes nothing twice.
          </p>
        )
      }
      send={async key => {
        const params = { path: { endpoint_id }, header: { 'Idempotency-Key': key } }
        close((await answer(POST('/webhook_endpoints/{endpoint_id}/replay', { params, body }))).queued)
      }}
    >
      <Choice label="Since" data={spans} value={hours} change={setHours} />
      <Choice
        label="Which"
        data={[
          { value: 'failed', label: 'What did not arrive' },
          { value: 'all', label: 'Everything' },
        ]}
        value={which}
        change={setWhich}
      />
      {counted.error && <LoadError what="How many there are" error={counted.error} retry={() => void counted.refetch()} />}
    </Confirm>
  )
}
