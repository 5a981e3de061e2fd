import type { Context } from '../context.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { type ArchiveLine, type ArchivePart, archiveFile, archiveParts, findKeys, unpacked, unsealLine } from './archive-lines.ts'
import { timeOf } from './event.ts'

const partsWith = statement(
  'archive_parts_with',
  `${select(archiveParts, 'p where merchant_id = $1 and day >= $2 and day <= $3')}
    and exists (select from unnest($4::text[]) e where e >= p.first_id and e <= p.last_id) order by first_id, part`,
)

/**
 * Returns the archived payloads of these events by event id. The archive has no payload of an event that is not old
 * enough, that was sent to no endpoint, whose customer was deleted, or whose file the bucket has expired. Refuses
 * (HE_00) while the archive is unavailable.
 */
export async function archivedBodies(context: Context, merchant_id: string, event_ids: readonly string[]): Promise<Map<string, string>> {
  const bodies = new Map<string, string>()
  if (!context.archive || event_ids.length === 0) return bodies
  const wanted = new Set(event_ids)
  const days = event_ids.map(event_id => timeOf(event_id).slice(0, 10)).sort()
  for (const part of await context.query<ArchivePart>(partsWith, [merchant_id, days[0], days.at(-1), event_ids])) {
    const file = await context.archive.get(archiveFile(part))
    const lines: ArchiveLine[] = file ? (await unpacked(file)).filter(line => wanted.has(line.event_id)) : []
    const keys = await findKeys(context, merchant_id, [...new Set(lines.map(line => line.customer_id))])
    for (const line of lines) {
      const body = unsealLine(merchant_id, line, keys)
      if (body !== null) bodies.set(line.event_id, body)
    }
  }
  return bodies
}
