import type { Settings } from '../accounts/settings.ts'
import type { Context } from '../context.ts'
import { statement } from '../database/statement.ts'
import { announcementRow, render } from './announce.ts'

const announced = statement(
  'told_of_object',
  `select c.kind, c.object_id, c.version, c.event_id from changes c join announcements a on a.merchant_id = $1 and a.event_id = c.event_id
    where c.merchant_id = $1 and c.kind = $2 and c.object_id = $3`,
)
const rewrite = statement('rewrite_announcement', 'update announcements set body = $3 where merchant_id = $1 and event_id = $2')
const forgetAnswers = statement(
  'forget_answers_of_endpoints',
  'update delivery_attempts set response_body = null where merchant_id = $1 and event_id = $2 and response_body is not null',
)

type AnnouncedChange = { kind: string; object_id: string; version: number; event_id: string }

/**
 * Renders and stores the payloads of an object's events again, after data was erased from its history. A payload that
 * is resent later then contains nothing that the history no longer contains. Stored responses of endpoints may repeat
 * the erased data, and are deleted.
 */
export async function rerenderEvents(
  context: Pick<Context, 'query'>,
  settings: Pick<Settings, 'merchant'>,
  publicUrl: string,
  owner: { merchant_id: string; kind: string; object_id: string },
): Promise<void> {
  const { merchant_id, kind, object_id } = owner
  const events = await context.query<AnnouncedChange>(announced, [merchant_id, kind, object_id])
  const merchant = events.length > 0 && (await settings.merchant(merchant_id))
  if (!merchant) return
  for (const [i, one] of (await render(context, merchant, publicUrl, events)).entries()) {
    if (one) await context.query(rewrite, [merchant_id, events[i]!.event_id, announcementRow(one).body])
    await context.query(forgetAnswers, [merchant_id, events[i]!.event_id])
  }
}
