import Type, { type Static } from 'typebox'
import { refuse } from '../base/refusal.ts'
import { boundedText, shortText, strictObject } from '../base/shapes.ts'
import type { Context } from '../context.ts'

const flag = Type.Boolean()
const option = Type.Optional

/** Modules to the right know the valid statuses (`events/status-filters.ts`). */
const webhookStatuses = option(Type.Array(boundedText(64)))

export const webhookDetails = strictObject({
  webhook_version: option(shortText),
  webhook_username: option(shortText),
  webhook_password: option(shortText),
  webhook_url: option(Type.String({ maxLength: 2048, format: 'uri' })),
  payment_created_enabled: option(flag),
  payment_succeeded_enabled: option(flag),
  payment_failed_enabled: option(flag),
  payment_statuses_enabled: webhookStatuses,
  refund_statuses_enabled: webhookStatuses,
  payout_statuses_enabled: webhookStatuses,
})
export type WebhookDetails = Static<typeof webhookDetails>

/** An empty URL means that there is none. */
export async function checkWebhookUrl(context: Pick<Context, 'unreachable'>, field: string, url: string | undefined): Promise<void> {
  if (url === undefined || url === '') return
  const why = await context.unreachable(url, 'deliver')
  if (why !== null) refuse('malformed', { field, expected: `an address for webhooks: it ${why}` })
}
