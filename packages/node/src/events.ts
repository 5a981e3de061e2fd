import type { webhooks } from './made/interface.ts'
import type { eventTypes } from './tables.ts'

export type EventType = keyof typeof eventTypes

type BodyOf<T> = T extends { post: { requestBody: { content: { 'application/json': infer B } } } } ? B : never

/** An event of this type: `EventOf<'payment_succeeded'>`. */
export type EventOf<T extends EventType> = Omit<BodyOf<webhooks[T]>, 'event_type'> & { event_type: T }

/** Any event: its `event_type` says which, and what its `content` is. */
export type SwitchyardEvent = { [T in EventType]: EventOf<T> }[EventType]
