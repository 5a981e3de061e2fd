import type { Merchant } from '../accounts/merchant.ts'
import type { Settings } from '../accounts/settings.ts'
import type { WebhookEndpoint } from '../accounts/webhook-endpoint.ts'
import { classes, type EventType, eventCatalogue } from '../base/event-types.ts'
import type { Context, Row } from '../context.ts'
import { changes } from '../database/changes.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import type { EventPayload, EventRenderer, RenderScope } from './event-renderer.ts'
import { eventRenderers } from './event-renderers.ts'
import type { HistoryRow } from './headline.ts'
import { isChosen } from './status-filters.ts'

const historyOf = statement(
  'changes_to_announce',
  select(changes, 'where merchant_id = $1 and kind = $2 and object_id = any($3) order by version'),
)

export type Announced = { kind: string; object_id: string; version: number }

/** Renders a merchant's changes, in their order: the object as it was after each. null: gone, or not announced. */
export async function render(
  context: Pick<Context, 'query'>,
  merchant: Merchant,
  publicUrl: string,
  asked: readonly Announced[],
): Promise<(EventPayload | null)[]> {
  const payloads = new Map<string, EventPayload>()
  const nameOf = ({ kind, object_id, version }: Announced) => `${kind} ${object_id} ${version}`
  const wanted = new Set(asked.map(nameOf))
  for (const eventRenderer of eventRenderers) {
    const ids = [...new Set(asked.filter(one => one.kind === eventRenderer.table.kind).map(one => one.object_id))]
    if (ids.length > 0) await renderEach({ context, merchant, publicUrl }, eventRenderer, ids)
  }
  return asked.map(one => payloads.get(nameOf(one)) ?? null)

  async function renderEach(
    scope: RenderScope,
    { table: { kind, key }, byIds, beside, payloadOf }: EventRenderer,
    ids: readonly string[],
  ): Promise<void> {
    const { merchant_id } = merchant
    const heads = context.query<Row>(byIds, [merchant_id, ids])
    // The rows are read before their history, so that a change written between the two reads is subtracted as well.
    const [now, read] = await Promise.all([heads, beside?.(scope, ids, heads)])
    const history = Map.groupBy(await context.query<HistoryRow>(historyOf, [merchant_id, kind, ids]), change => change.object_id)
    for (const one of now) {
      const all = history.get(String(one[key.at(-1)!])) ?? []
      for (const change of all)
        if (change.announces !== null && wanted.has(nameOf(change)))
          payloads.set(nameOf(change), await payloadOf(scope, one, all, change, read))
    }
  }
}

/** Returns a webhook's body (contract 7.2), serialized once: each attempt signs and sends the same bytes. */
export const bodyOf = (payload: Omit<EventPayload, 'kind' | 'head_id' | 'version' | 'object_id' | 'status'>): string => {
  const { merchant_id, platform, event_id, event_type, event_class, object, created, sequence } = payload
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

export const announcementRow = (payload: EventPayload) => ({
  event_id: payload.event_id,
  line: payload.head_id,
  version: payload.version,
  body: bodyOf(payload),
  created: payload.created,
})

export const listens = (endpoint: WebhookEndpoint): boolean => endpoint.enabled && endpoint.state?.disabled_at == null

/**
 * Whether an event is delivered to an endpoint. The endpoint must belong to the profile of the event, or, if a
 * platform started the payment or payout, to any profile of that platform; and it must not have filtered the event
 * out. The event that an endpoint was disabled goes to the merchant's other endpoints.
 */
export function wants(
  endpoint: WebhookEndpoint,
  { profile_id, platform, event_type, event_class, object_id, status }: EventPayload,
): boolean {
  const isFor = platform === null ? endpoint.profile_id === profile_id : endpoint.merchant_id === platform
  if (!listens(endpoint) || !isFor) return false
  if (event_class === 'webhooks' && (endpoint.of_profile || object_id === endpoint.endpoint_id)) return false
  // The event that a payout requires manual review is sent regardless of the statuses that the endpoint has chosen.
  if (event_type !== 'payout_processing' && !isChosen(endpoint.statuses, event_class, status)) return false
  return takes(endpoint, event_type)
}

const takes = ({ event_types }: WebhookEndpoint, event_type: EventType): boolean =>
  event_types === null || event_types.includes(event_type) || event_types.includes(eventCatalogue[event_type].dotted)

export type Finds = Pick<Settings, 'merchant' | 'webhookEndpoints' | 'listeners' | 'refresh' | 'reach'>
