import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'

/** Refuses (IR_05) a URL to which webhooks must not be sent. An empty URL means that there is none. */
export async function checkWebhookUrl(context: Pick<Context, 'unreachable'>, field: string, url: string | undefined): Promise<void> {
  if (url === undefined || url === '') return
  const why = await context.unreachable(url, 'deliver')
  if (why !== null) refuse('malformed', { field, expected: `an address for webhooks: it ${why}` })
}
