import type { Merchant } from '../accounts/merchant.ts'
import type { Settings } from '../accounts/settings.ts'
import type { WebhookEndpoint } from '../accounts/webhook-endpoint.ts'
import type { Context, Row } from '../context.ts'
import { changes } from '../database/changes.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { classes, type EventType, eventCatalogue } from './catalogue.ts'
import type { HistoryRow } from './news.ts'
import { isChosen } from './status-filters.ts'
import type { EventPayload, Teller, Telling } from './teller.ts'
import { tellers } from './tellers.ts'

const historyOf = statement(
  'changes_to_tell',
  select(changes, 'where merchant_id = $1 and kind = $2 and object_id = any($3) order by version'),
)

/** Which change: of what, and which version of it. */
export type Announced = { kind: string; object_id: string; version: number }

/**
 * These changes of one merchant as announcements: each with its object as it was after that change. In the order of
 * the request; null for a change that is gone, or that is not announced.
 */
export async function render(
  context: Pick<Context, 'query'>,
  merchant: Merchant,
  publicUrl: string,
  asked: readonly Announced[],
): Promise<(EventPayload | null)[]> {
  const told = new Map<string, EventPayload>()
  const nameOf = ({ kind, object_id, version }: Announced) => `${kind} ${object_id} ${version}`
  const wanted = new Set(asked.map(nameOf))
  for (const teller of tellers) {
    const ids = [...new Set(asked.filter(one => one.kind === teller.table.kind).map(one => one.object_id))]
    if (ids.length > 0) await tellEach({ context, merchant, publicUrl }, teller, ids)
  }
  return asked.map(one => told.get(nameOf(one)) ?? null)

  async function tellEach(telling: Telling, { table: { kind, key }, byIds, beside, tell }: Teller, ids: readonly string[]): Promise<void> {
    const { merchant_id } = merchant
    const heads = context.query<Row>(byIds, [merchant_id, ids])
    // The rows before their history: what moves in between is then taken back as well.
    const [now, read] = await Promise.all([heads, beside?.(telling, ids, heads)])
    const history = Map.groupBy(await context.query<HistoryRow>(historyOf, [merchant_id, kind, ids]), change => change.object_id)
    for (const one of now) {
      const all = history.get(String(one[key.at(-1)!])) ?? []
      for (const change of all)
        if (change.announces !== null && wanted.has(nameOf(change))) told.set(nameOf(change), await tell(telling, one, all, change, read))
    }
  }
}

/**
 * The body as existing clients read it (contract 7.2). It is written once, and those bytes are signed and sent each
 * time.
 */
export const bodyOf = (told: Omit<EventPayload, 'kind' | 'head_id' | 'version' | 'object_id' | 'status'>): string => {
  const { merchant_id, platform, event_id, event_type, event_class, object, created, sequence } = told
  return JSON.stringify({
    merchant_id: platform ?? merchant_id,
    event_id,
    event_type,
    type: eventCatalogue[event_type].dotted,
    sequence,
    content: { type: classes[event_class], object },
    timestamp: created,
    processor_merchant_id: merchant_id,
  })
}

/** What is written down of an event for those who are to hear of it, and in which line it stands there. */
export const announcementRow = (told: EventPayload) => ({
  event_id: told.event_id,
  line: told.head_id,
  version: told.version,
  body: bodyOf(told),
  created: told.created,
})

/** Is this endpoint called at all? */
export const listens = (endpoint: WebhookEndpoint): boolean => endpoint.enabled && endpoint.state?.disabled_at == null

/**
 * Does an endpoint hear of this? One of its own profile, or of any profile of the platform that started it, which it
 * has not said to be none of its business. That an endpoint is given up is told to the others.
 */
export function wants(
  endpoint: WebhookEndpoint,
  { profile_id, platform, event_type, event_class, object_id, status }: EventPayload,
): boolean {
  const isFor = platform === null ? endpoint.profile_id === profile_id : endpoint.merchant_id === platform
  if (!listens(endpoint) || !isFor) return false
  if (event_class === 'webhooks' && (endpoint.of_profile || object_id === endpoint.endpoint_id)) return false
  // That a person must look is not a matter of a status.
  if (event_type !== 'payout_processing' && !isChosen(endpoint.statuses, event_class, status)) return false
  return takes(endpoint, event_type)
}

/** Has it chosen this type, or none? */
const takes = ({ event_types }: WebhookEndpoint, event_type: EventType): boolean =>
  event_types === null || event_types.includes(event_type) || event_types.includes(eventCatalogue[event_type].dotted)

export type Finds = Pick<Settings, 'merchant' | 'webhookEndpoints' | 'listeners' | 'refresh' | 'reach'>
