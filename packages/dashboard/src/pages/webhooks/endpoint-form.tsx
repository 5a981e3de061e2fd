import { eventTypes } from 'virtual:shapes'
import { Switch } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { answer, POST, type Schemas } from '../../api'
import { plural } from '../../format'
import Confirm from '../../parts/confirm'
import { TextField } from '../../parts/inputs'
import { MultiSelect } from '../../parts/multi-select'

type Endpoint = Schemas['WebhookEndpoint']
type Props = { endpoint: Endpoint | null; made(secret: string): void; close(): void }

/**
 * Shows a form for a new endpoint or a change of an endpoint: its address, the events it receives, and whether it is
 * enabled.
 */
export default function EndpointForm({ endpoint, made, close }: Props): ReactElement {
  const queries = useQueryClient()
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [types, setTypes] = useState<string[]>(endpoint?.event_types ?? [])
  const [enabled, setEnabled] = useState(endpoint === null || (endpoint.enabled && endpoint.disabled_at === null))
  const events = types.length === 0 ? 'Every event' : plural(types.length, 'kind of event', 'kinds of events')
  return (
    <Confirm
      title={endpoint ? 'Change the endpoint?' : 'A new endpoint?'}
      act={endpoint ? 'Save the endpoint' : 'Add the endpoint'}
      acting={endpoint ? 'Saving…' : 'Adding…'}
      keep="Not now"
      close={close}
      consequence={
        URL.canParse(url) ? (
          <p>
            {!enabled
              ? `Nothing is sent to ${url} until it is enabled again; what happens meanwhile can be replayed.`
              : endpoint
                ? `${events} from now on goes to ${url}, signed with the secret that it has.`
                : `${events} from now on is sent to ${url}, signed with a secret that is shown once, after this.`}
          </p>
        ) : null
      }
      send={async key => {
        const header = { 'Idempotency-Key': key }
        const body = { url, ...(description !== '' && { description }), event_types: types }
        if (endpoint) {
          const params = { path: { endpoint_id: endpoint.endpoint_id }, header }
          await answer(POST('/webhook_endpoints/{endpoint_id}', { params, body: { ...body, enabled } }))
        } else made((await answer(POST('/webhook_endpoints', { params: { header }, body }))).secret)
        await queries.invalidateQueries({ queryKey: ['webhooks'] })
      }}
    >
      <TextField label="Address" hint="https://…" value={url} change={setUrl} disabled={endpoint?.of_profile} data-autofocus />
      <TextField label="Description" value={description} maxLength={255} change={setDescription} />
      <MultiSelect
        label="Events"
        description="None chosen: all of them"
        data={[...eventTypes]}
        value={types}
        onChange={setTypes}
        placeholder={types.length === 0 ? 'All' : ''}
      />
      {endpoint && <Switch label="Enabled" checked={enabled} onChange={event => setEnabled(event.currentTarget.checked)} />}
    </Confirm>
  )
}
