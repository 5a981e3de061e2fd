export { createClient, type Switchyard } from './client.ts'
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServiceError,
  SignatureError,
  SwitchyardError,
  TimeoutError,
} from './errors.ts'
export type { EventOf, EventType, SwitchyardEvent } from './events.ts'
export { eventTypes } from './made/tables.ts'
export { type Currency, decimal, type Money, money } from './money.ts'
export { type EventStream, idAt, type StreamedEvent, type StreamOptions } from './stream.ts'
export type {
  Answer,
  Body,
  CallOptions,
  ClientOptions,
  Customer,
  Dispute,
  List,
  OperationId,
  Payment,
  Payout,
  Query,
  Refund,
  Waits,
} from './types.ts'
export * as webhooks from './webhooks.ts'
