import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'

/** Refuses (IR_05) an address to which webhooks may not go. An empty one says that there is none. */
export async function checkWebhookUrl(context: Pick<Context, 'unreachable'>, field: string, url: string | undefined): Promise<void> {
  if (url === undefined || url === '') return
  const why = await context.unreachable(url, 'deliver')
  if (why !== null) refuse('malformed', { field, expected: `an address for webhooks: it ${why}` })
}
