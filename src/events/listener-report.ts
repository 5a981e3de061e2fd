import Type from 'typebox'
import { refuse } from '../base/refusal.ts'
import { boundedText, strictObject } from '../base/shapes.ts'
import { DAY_MS, later } from '../base/time.ts'
import type { Context } from '../context.ts'
import { statement } from '../database/statement.ts'
import { KEPT } from './call-endpoint.ts'
import { deliveryAttempts } from './delivery.ts'
import { type EventListener, renewListener } from './listener.ts'

/** The reports of listeners on the responses that they received. They are listed among the attempts of the event. */

const eventId = (description: string) => Type.String({ pattern: '^evt_[0-9a-f]{32}$', description })

export const reportShape = strictObject({
  attempts: Type.Array(
    strictObject({
      event_id: eventId('The event that was passed on'),
      attempt_id: eventId(
        'The `delivery_id` of an event that was sent again; otherwise an id that the listener makes once for each attempt',
      ),
      status_code: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
      error: Type.Optional(Type.String({ maxLength: 255, description: 'Why there was no answer' })),
      response_body: Type.Optional(boundedText(KEPT)),
      latency_ms: Type.Integer({ minimum: 0, maximum: DAY_MS }),
      began_ms_ago: Type.Integer({
        minimum: 0,
        maximum: DAY_MS,
        description: 'How long before this report the attempt began, by the listener’s own measure',
      }),
    }),
    { maxItems: 100, description: 'None: the listener only says that it is there' },
  ),
})
export type ListenerReport = Type.Static<typeof reportShape>

const announced = statement(
  'announced_events',
  'select event_id from changes where merchant_id = $1 and event_id = any($2) and announces is not null',
)
/** Writes attempts. Each attempt is written once, however often it is reported. */
const write = statement(
  'write_listener_attempts',
  `with reported as (select * from json_to_recordset($3::json) t (event_id text, attempt_id text, status_code int, error text, response_body text, latency_ms int, created timestamptz(3))),
    answered as (delete from listener_deliveries d using reported where d.merchant_id = $1 and d.listener_id = $2
      and d.delivery_id = reported.attempt_id and d.event_id = reported.event_id returning d.delivery_id)
  insert into delivery_attempts (${deliveryAttempts.names.join(', ')})
    select ${deliveryAttempts.names
      .map(
        name =>
          ({
            merchant_id: '$1',
            endpoint_id: '$2',
            kind: `case when attempt_id in (select delivery_id from answered) then 'manual_retry' else 'initial_attempt' end`,
            url: '$4',
            request_headers: `'[]'`,
            response_headers: 'null',
            listener: '$5::json',
          })[name] ?? name,
      )
      .join(', ')} from reported on conflict do nothing`,
)

/**
 * Stores the responses that a listener received, and renews the listener. Deliveries to endpoints and the health of
 * endpoints do not change. Refuses (HE_02) a listener that is not the merchant's, and (IR_06) an event that is not the
 * merchant's, or an `attempt_id` that is the id of its event.
 */
export async function reportAttempts(
  context: Context,
  merchant_id: string,
  listener_id: string,
  { attempts }: ListenerReport,
): Promise<EventListener> {
  const listener = await renewListener(context, merchant_id, listener_id)
  const { name, machine, forward_to } = listener
  const wrong = attempts.findIndex(one => one.attempt_id === one.event_id)
  if (wrong >= 0) refuse('unacceptable', { field: `attempts[${wrong}].attempt_id`, problem: 'must not be the id of the event' })
  if (attempts.length === 0) return listener
  const ids = [...new Set(attempts.map(one => one.event_id))]
  const known = new Set((await context.query<{ event_id: string }>(announced, [merchant_id, ids])).map(({ event_id }) => event_id))
  const unknown = attempts.findIndex(one => !known.has(one.event_id))
  if (unknown >= 0)
    refuse('unacceptable', { field: `attempts[${unknown}].event_id`, problem: 'must be the id of an event that was announced' })
  const now = context.now()
  const reported = attempts.map(({ began_ms_ago, ...one }) => ({ ...one, created: later(now, -began_ms_ago) }))
  await context.query(write, [
    merchant_id,
    listener_id,
    JSON.stringify(reported),
    forward_to,
    JSON.stringify({ listener_id, name, machine }),
  ])
  return listener
}
