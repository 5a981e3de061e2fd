import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Merchant } from '../accounts/merchant.ts'
import type { Change, Context } from '../context.ts'
import type { Payment } from '../payments/payment.ts'
import { type Noted, notedOf } from './access-log.ts'
import type { Addresses } from './addresses.ts'
import type { Bearer, Who } from './credentials.ts'
import type { ApiRequest, Endpoint, Service } from './endpoint.ts'
import { single } from './header.ts'
import type { Keyed } from './idempotency.ts'

const NO_BYTES = Buffer.alloc(0)

/** Each step (`answer.ts`) reads what those before have set. All members exist from the start: one shape for all. */
export class HttpExchange {
  readonly service: Service
  readonly addresses: Addresses
  readonly endpoint: Endpoint
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly noted: Noted
  readonly path: Record<string, string>
  /** The bytes of the body. */
  readonly raw: Buffer
  /** The header Idempotency-Key, also of an operation that takes none: whether the caller can ask again safely. */
  readonly key: string | undefined

  bearer!: Bearer
  query!: Record<string, unknown>
  body!: Record<string, unknown>
  who!: Who
  /** The context of the request: names the caller in every change, and is called off with the request. */
  context!: Context
  /** The same context without the effects of being cut short, for work beside the operation. */
  aside!: Context
  /** The merchant of the key, or with the admin key that of the path. */
  merchant: Merchant | null = null
  /** The object that the client_secret opens. */
  opened: { id: string; payment: Payment | null } | null = null
  /** Null until the caller is authenticated and the request is read. */
  call: ApiRequest | null = null
  keyed: Keyed | null = null

  /** The changes that this request has written, in order; `after` is the row as written. */
  readonly written: Change[] = []
  /** Set once nothing more may be sent to a processor for this request. */
  calledOff = false

  constructor(service: Service, addresses: Addresses, endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply) {
    this.service = service
    this.addresses = addresses
    this.endpoint = endpoint
    this.request = request
    this.reply = reply
    this.noted = notedOf(request)
    this.path = request.params as Record<string, string>
    this.raw = Buffer.isBuffer(request.body) ? request.body : NO_BYTES
    this.key = single(request.headers['idempotency-key'])
  }
}
