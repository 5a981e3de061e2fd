import Type from 'typebox'
import { refuse } from '../base/refusal.ts'
import { strictObject } from '../base/shapes.ts'
import { connectors } from '../connectors/all.ts'
import type { Registered } from '../connectors/connector.ts'
import type { Context } from '../context.ts'
import { type Deployment, openAccount, webhookUrlOf } from './connector-account.ts'
import { converseAbout, noAnswer } from './converse-about.ts'
import type { ConnectorAccountRow } from './merchant.ts'

export const registerShape = strictObject({
  event_type: Type.Optional(
    Type.Union([Type.Literal('all_events'), strictObject({ specific_event: Type.String({ maxLength: 64 }) })], {
      description: '"all_events" (default), or a single event type',
    }),
  ),
})
export type RegisterAsk = Type.Static<typeof registerShape>

/** May be repeated. An account without a secret is refused, because its webhooks could not be verified. */
export async function registerWebhook(
  context: Context,
  deployment: Deployment,
  row: ConnectorAccountRow,
  { event_type = 'all_events' }: RegisterAsk,
): Promise<Record<string, unknown>> {
  const { merchant_id, merchant_connector_id, connector_name } = row
  const register = connectors[connector_name]?.webhook?.register
  const flow = event_type === 'all_events' ? 'webhook registration' : 'webhooks for single events'
  if (!register || event_type !== 'all_events') return refuse('flow_not_supported', { flow, connector: connector_name })
  const { account } = openAccount(context.vault, deployment, row)
  if (account.webhook_secret === null)
    refuse('precondition', {
      problem:
        'The connector account needs the secret that the processor signs webhooks with: set connector_webhook_details.merchant_secret',
    })
  const url = webhookUrlOf(deployment, row)
  const registered = await converseAbout<Registered>(
    context,
    { merchant_id, merchant_connector_id },
    account,
    register(url, account),
    noAnswer,
  )
  return {
    event_type,
    connector_webhook_id: registered.is === 'done' ? registered.id : null,
    webhook_registration_status: registered.is === 'done' ? 'Success' : 'Failure',
    error_code: registered.is === 'refused' ? registered.code : null,
    error_message: registered.is === 'refused' ? registered.message : registered.is === 'unknown' ? registered.why : null,
  }
}
