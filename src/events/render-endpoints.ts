import { type WebhookEndpointState, webhookEndpointStates } from '../accounts/webhook-endpoint.ts'
import { rowAt } from '../database/past-row.ts'
import { eventBase, eventRenderer } from './event-renderer.ts'

export const endpointEvents = eventRenderer<WebhookEndpointState>({
  table: webhookEndpointStates,
  payloadOf(_scope, now, all, change) {
    const state = rowAt(webhookEndpointStates, now, webhookEndpointStates, all, change.version)!
    const { endpoint_id, url, failing_since, disabled_at, disabled_reason } = state
    const object = { endpoint_id, url, failing_since, disabled_at, disabled_reason }
    return { ...eventBase(change, state.profile_id, null), object, status: null }
  },
})
