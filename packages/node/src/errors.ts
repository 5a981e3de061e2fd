/**
 * The base class of all errors that the SDK throws. A processor's decline is no error: it is the `status` of a
 * payment.
 */
export class SwitchyardError extends Error {
  override name = 'SwitchyardError'
}

/** The service's answer to a refused request. */
export type Refused = {
  status: number
  /** The code of the catalogue of errors (`IR_04`). */
  code: string
  type: 'invalid_request' | 'api' | 'connector' | 'blocked' | (string & {})
  message: string
  /** A sentence for people: the mistake and its remedy. Programs compare `code`. */
  help?: string | undefined
  /** The reason, for errors whose entry in the catalogue has one. */
  reason?: string | undefined
  /** The id of the request in its log (`switchyard logs`). */
  requestId: string | null
  /** All errors, if there is more than one. */
  errors?: readonly { field: string | null; code: string; message: string; help: string }[] | undefined
  /** The body of the answer, parsed if it is JSON. */
  body: unknown
}

/** The service answered and refused the request. */
export class ApiError extends SwitchyardError implements Refused {
  override name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly type: Refused['type']
  readonly help: string | undefined
  readonly reason: string | undefined
  readonly requestId: string | null
  readonly errors: Refused['errors']
  readonly body: unknown

  constructor(refused: Refused) {
    super(refused.message)
    const { status, code, type, help, reason, requestId, errors, body } = refused
    this.status = status
    this.code = code
    this.type = type
    this.help = help
    this.reason = reason
    this.requestId = requestId
    this.errors = errors
    this.body = body
  }
}

/** The request is wrong (400, 422): nothing was done. */
export class InvalidRequestError extends ApiError {
  override name = 'InvalidRequestError'
}
/** The key is wrong, revoked or expired (401). */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError'
}
/** The key lacks the permission for this request (403). */
export class PermissionError extends ApiError {
  override name = 'PermissionError'
}
/** The object does not exist (404). */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError'
}
/** The first request with this Idempotency-Key was still running after all tries (409). */
export class ConflictError extends ApiError {
  override name = 'ConflictError'
}
/** Too many requests, also after all tries (429). */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError'
}
/** The service failed (5xx). The result of a POST is not known: send the request again with the same key. */
export class ServiceError extends ApiError {
  override name = 'ServiceError'
}

/**
 * No try got an answer. The result of the request is not known: it may have been executed. Send it again with the same
 * `idempotencyKey`, and it is executed once.
 */
export class ConnectionError extends SwitchyardError {
  override name = 'ConnectionError'
  readonly idempotencyKey: string | null
  constructor(message: string, idempotencyKey: string | null, cause: unknown) {
    super(message, { cause })
    this.idempotencyKey = idempotencyKey
  }
}

/** A ConnectionError because the last try exceeded its timeout. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError'
}

/** The webhook was not signed with this secret, or it was signed too long ago. */
export class SignatureError extends SwitchyardError {
  override name = 'SignatureError'
}

const classOf = (status: number): typeof ApiError => {
  const classes: Record<number, typeof ApiError> = {
    401: AuthenticationError,
    403: PermissionError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitError,
  }
  return classes[status] ?? (status >= 500 ? ServiceError : InvalidRequestError)
}

/** Returns the error for an answer that is not a success. */
export function errorOf(status: number, text: string, requestId: string | null): ApiError {
  let body: unknown = text
  try {
    body = JSON.parse(text)
  } catch {}
  const refused = ((body as { error?: Partial<Refused> } | null)?.error ?? {}) as Partial<Refused>
  const { code = '', type = 'api', message = `The service answered with status ${status}`, help, reason, errors } = refused
  return new (classOf(status))({ status, code, type, message, help, reason, errors, requestId, body })
}
