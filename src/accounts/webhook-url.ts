import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'

/** An empty URL means that there is none. */
export async function checkWebhookUrl(context: Pick<Context, 'unreachable'>, field: string, url: string | undefined): Promise<void> {
  if (url === undefined || url === '') return
  const why = await context.unreachable(url, 'deliver')
  if (why !== null) refuse('malformed', { field, expected: `an address for webhooks: it ${why}` })
}
