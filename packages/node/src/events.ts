import type { webhooks } from './made/interface.ts'
import type { eventTypes } from './made/tables.ts'

export type EventType = keyof typeof eventTypes

type BodyOf<T> = T extends { post: { requestBody: { content: { 'application/json': infer B } } } } ? B : never

/** The event of one type: `EventOf<'payment_succeeded'>`. */
export type EventOf<T extends EventType> = Omit<BodyOf<webhooks[T]>, 'event_type'> & { event_type: T }

/** An event of any type. Its `event_type` determines the type of its `content`. */
export type SwitchyardEvent = { [T in EventType]: EventOf<T> }[EventType]
