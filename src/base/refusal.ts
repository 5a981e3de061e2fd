import { withoutCardNumbers } from './card-number.ts'

/**
 * Every way in which the service says no to a caller: one table. The wire form (`{"error": {type, message, code, …}}`), the statuses and the codes are those
 * of the ecosystem's clients; the words are ours. A processor's no is not a refusal but data on the payment.
 */
type Type = 'invalid_request' | 'api' | 'connector' | 'blocked'

type Entry<F> = {
  status: number
  code: string
  type: Type
  /** Seconds after which trying again makes sense: becomes the `Retry-After` header. */
  retryAfter?: number
  /** Clients of body parsers in this ecosystem read `error_type`; both keys are sent where this is set. */
  alsoErrorType?: true
  /** Headers that belong to the answer besides. */
  headers?(facts: F): Record<string, string>
  says(facts: F): string
  /** Extra members of `error`, absent unless named. */
  members?(facts: F): Record<string, unknown>
}

const entry = <F>(is: Entry<F>): Entry<F> => is

/** Messages name what callers sent, and callers send anything. */
const LONGEST_MESSAGE = 500
function fit(words: string): string {
  const plain = withoutCardNumbers(words)
  return plain.length <= LONGEST_MESSAGE ? plain : `${plain.slice(0, LONGEST_MESSAGE).toWellFormed()}…`
}

export const catalogue = {
  key_missing_or_unknown: entry<object>({
    status: 401,
    code: 'IR_01',
    type: 'invalid_request',
    says: () => 'The api-key header is missing, or its key is unknown, revoked, expired or of another merchant than the path names',
  }),
  unknown_url: entry<{ method: string; path: string }>({
    status: 404,
    code: 'IR_02',
    type: 'invalid_request',
    says: f => `There is nothing at ${f.method} ${f.path}`,
  }),
  wrong_method: entry<{ method: string; welcome: readonly string[] }>({
    status: 405,
    code: 'IR_03',
    type: 'invalid_request',
    headers: f => ({ allow: f.welcome.join(', ') }),
    says: f => `${f.method} is not understood here; welcome: ${f.welcome.join(', ')}`,
  }),
  missing: entry<{ field: string }>({
    status: 400,
    code: 'IR_04',
    type: 'invalid_request',
    says: f => `Missing required value: ${f.field}`,
  }),
  malformed: entry<{ field: string; expected: string }>({
    status: 422,
    code: 'IR_05',
    type: 'invalid_request',
    says: f => `${f.field} is malformed; expected ${f.expected}`,
  }),
  unreadable: entry<{ field: string | null; words: string }>({
    status: 400,
    code: 'IR_06',
    type: 'invalid_request',
    alsoErrorType: true,
    says: f => (f.field === null ? f.words : `${f.field}: ${f.words}`),
  }),
  compressed: entry<object>({
    status: 415,
    code: 'IR_06',
    type: 'invalid_request',
    alsoErrorType: true,
    headers: () => ({ 'accept-encoding': 'identity' }),
    says: () => 'The body is compressed (content-encoding); it must be sent as it is',
  }),
  too_long: entry<{ field: string; limit: number; received: number }>({
    status: 422,
    code: 'IR_06',
    type: 'invalid_request',
    says: f => `${f.field} may hold ${f.limit} characters and holds ${f.received}`,
  }),
  unacceptable: entry<{ field: string; words: string }>({
    status: 422,
    code: 'IR_06',
    type: 'invalid_request',
    says: f => `${f.field}: ${f.words}`,
  }),
  key_reused: entry<object>({
    status: 422,
    code: 'IR_06',
    type: 'invalid_request',
    says: () => 'This Idempotency-Key was used for another request: other path or other body',
  }),
  invalid_value: entry<{ field: string; words: string }>({
    status: 400,
    code: 'IR_07',
    type: 'invalid_request',
    says: f => `Invalid value for ${f.field}: ${f.words}`,
  }),
  client_secret_expired: entry<object>({
    status: 400,
    code: 'IR_08',
    type: 'invalid_request',
    says: () => 'client_secret has expired',
  }),
  client_secret_mismatch: entry<object>({
    status: 400,
    code: 'IR_09',
    type: 'invalid_request',
    says: () => 'client_secret is that of another payment or payment method',
  }),
  active_mandate: entry<object>({
    status: 400,
    code: 'IR_10',
    type: 'invalid_request',
    says: () => 'This customer has an active mandate: revoke it first',
  }),
  customer_redacted: entry<object>({
    status: 400,
    code: 'IR_11',
    type: 'invalid_request',
    says: () => 'This customer was deleted, and nothing is known of them any more',
  }),
  too_many_refunds: entry<{ limit: number }>({
    status: 400,
    code: 'IR_12',
    type: 'invalid_request',
    says: f => `A payment takes at most ${f.limit} refunds`,
  }),
  refund_too_large: entry<{ amount: number; left: number }>({
    status: 400,
    code: 'IR_13',
    type: 'invalid_request',
    says: f => `amount ${f.amount} exceeds what is left to refund: ${f.left}`,
  }),
  wrong_state: entry<{ flow: string; field: string; value: string; welcome: readonly string[] }>({
    status: 400,
    code: 'IR_14',
    type: 'invalid_request',
    says: f => `This payment cannot be ${f.flow}: ${f.field} is ${f.value}; it must be one of ${f.welcome.join(', ')}`,
  }),
  precondition: entry<{ words: string }>({
    status: 400,
    code: 'IR_16',
    type: 'invalid_request',
    says: f => f.words,
  }),
  too_many_failures: entry<object>({
    status: 400,
    code: 'IR_16',
    type: 'invalid_request',
    says: () => 'Too many tries to pay have failed, so this one was not made; try again later',
  }),
  unauthorized: entry<{ words: string }>({
    status: 401,
    code: 'IR_18',
    type: 'invalid_request',
    says: f => f.words,
  }),
  not_supported: entry<{ words: string }>({
    status: 400,
    code: 'IR_19',
    type: 'invalid_request',
    says: f => f.words,
    members: f => ({ reason: f.words }),
  }),
  flow_not_supported: entry<{ flow: string; connector: string }>({
    status: 400,
    code: 'IR_20',
    type: 'invalid_request',
    says: f => `${f.connector} does not know ${f.flow}`,
    members: f => ({ connector: f.connector }),
  }),
  several_missing: entry<{ fields: readonly string[] }>({
    status: 400,
    code: 'IR_21',
    type: 'invalid_request',
    says: f => `Missing required values: ${f.fields.join(', ')}`,
    members: f => ({ data: f.fields }),
  }),
  forbidden: entry<{ words: string }>({
    status: 403,
    code: 'IR_22',
    type: 'invalid_request',
    says: f => f.words,
  }),
  token_unusable: entry<object>({
    status: 422,
    code: 'IR_29',
    type: 'invalid_request',
    says: () => 'payment_token is unknown, has expired, or is not of this customer',
  }),
  unknown: entry<{ what: string }>({
    status: 404,
    code: 'IR_37',
    type: 'invalid_request',
    says: f => `No such ${f.what}`,
  }),
  taken: entry<{ what: string; name: string }>({
    status: 400,
    code: 'IR_38',
    type: 'invalid_request',
    says: f => `There is a ${f.what} called ${f.name} already`,
  }),
  file_missing: entry<object>({
    status: 400,
    code: 'IR_33',
    type: 'invalid_request',
    says: () => 'file is missing: the form has no file of that name, or an empty one',
  }),
  dispute_id_missing: entry<object>({
    status: 400,
    code: 'IR_34',
    type: 'invalid_request',
    says: () => 'Missing required value: dispute_id',
  }),
  evidence_type_missing: entry<object>({
    status: 400,
    code: 'IR_35',
    type: 'invalid_request',
    says: () => 'Missing required value: evidence_type (what the file is for)',
  }),
  no_connector: entry<{ why: string }>({
    status: 400,
    code: 'IR_39',
    type: 'invalid_request',
    says: f => `No connector account takes this payment: ${f.why}`,
  }),
  not_implemented: entry<{ words: string }>({
    status: 501,
    code: 'IR_00',
    type: 'invalid_request',
    says: f => f.words,
  }),
  duplicate: entry<{ what: string; id: string }>({
    status: 400,
    code: 'HE_01',
    type: 'invalid_request',
    says: f => `A ${f.what} with id ${f.id} exists already, with other content`,
  }),
  not_found: entry<{ what: string }>({
    status: 404,
    code: 'HE_02',
    type: 'invalid_request',
    says: f => `No such ${f.what}`,
  }),
  no_return_url: entry<object>({
    status: 404,
    code: 'HE_03',
    type: 'invalid_request',
    says: () => 'Neither the payment nor its profile names a return_url',
  }),
  mandate_violated: entry<{ words: string }>({
    status: 400,
    code: 'HE_03',
    type: 'invalid_request',
    says: f => `The mandate does not allow this: ${f.words}`,
    members: f => ({ reason: f.words }),
  }),
  dispute_refused: entry<{ words: string }>({
    status: 400,
    code: 'HE_03',
    type: 'invalid_request',
    says: f => f.words,
    members: f => ({ reason: f.words }),
  }),
  file_refused: entry<{ words: string }>({
    status: 400,
    code: 'HE_03',
    type: 'invalid_request',
    says: f => `The file is no evidence: ${f.words}`,
    members: f => ({ reason: f.words }),
  }),
  absent: entry<{ what: string }>({
    status: 404,
    code: 'HE_04',
    type: 'invalid_request',
    says: f => `No such ${f.what}`,
  }),
  connector_refused: entry<{ connector: string; code: string; reason: string }>({
    status: 400,
    code: 'CE_00',
    type: 'connector',
    says: f => `${f.code}: ${f.reason}`,
    members: f => ({ connector: f.connector, reason: f.reason }),
  }),
  mandate_differs: entry<{ fields: readonly string[] }>({
    status: 400,
    code: 'IR_46',
    type: 'invalid_request',
    says: f => `What is saved was agreed on for another way to pay: ${f.fields.join(', ')}`,
    members: f => ({ fields: f.fields.join(', ') }),
  }),
  blocked: entry<{ payment_id: string }>({
    // An error by its body alone: so the ecosystem's clients know it.
    status: 200,
    code: 'HE_03',
    type: 'blocked',
    says: () => 'The payment was blocked: what it is paid with is on the blocklist',
    members: f => ({ reason: 'Blocked', payment_id: f.payment_id }),
  }),
  unheard: entry<object>({
    status: 422,
    code: 'HE_00',
    type: 'api',
    retryAfter: 2,
    says: () => 'The directory of the card scheme has not answered; ask again, the same',
  }),
  busy: entry<object>({
    status: 422,
    code: 'HE_00',
    type: 'api',
    retryAfter: 1,
    says: () => 'The resource is being changed by another request; try again',
  }),
  still_running: entry<object>({
    status: 409,
    code: 'HE_00',
    type: 'api',
    retryAfter: 1,
    says: () => 'The first request with this Idempotency-Key is still running',
  }),
  unavailable: entry<{ words: string }>({
    status: 503,
    code: 'HE_00',
    type: 'api',
    retryAfter: 2,
    says: f => f.words,
  }),
  internal: entry<object>({
    status: 500,
    code: 'HE_00',
    type: 'api',
    says: () => 'Something went wrong on our side; the request id names it in the log',
  }),
  webhook_unverified: entry<object>({
    status: 401,
    code: 'WE_01',
    type: 'invalid_request',
    says: () => 'The webhook is not signed by the processor of this account',
  }),
  webhook_unknown: entry<object>({
    status: 404,
    code: 'WE_04',
    type: 'invalid_request',
    says: () => 'No such merchant or connector account',
  }),
} as const

export type RefusalName = keyof typeof catalogue
export type FactsOf<N extends RefusalName> = (typeof catalogue)[N] extends Entry<infer F> ? F : never

/** Thrown anywhere, caught once, in `http/refused.ts`. */
export class Refusal extends Error {
  readonly refusal: RefusalName
  readonly entry: Entry<never>
  readonly facts: unknown
  constructor(name: RefusalName, facts: unknown) {
    const is = catalogue[name] as Entry<never>
    super(fit(is.says(facts as never)))
    this.refusal = name
    this.entry = is
    this.facts = facts
  }

  /** The field that is at fault, or all that are; undefined where none is. */
  get field(): string | undefined {
    const { field, fields } = this.facts as { field?: string | null; fields?: readonly string[] }
    const named = field ?? fields?.join(', ')
    return named === undefined ? undefined : fit(named)
  }

  /** The body on the wire. Absent members are left out, never null. */
  body(): { error: Record<string, unknown> } {
    const { type, code, alsoErrorType, members } = this.entry
    return { error: { type, ...(alsoErrorType && { error_type: type }), message: this.message, code, ...members?.(this.facts as never) } }
  }
}

/** Says no. Never returns. */
export function refuse<N extends RefusalName>(name: N, ...facts: object extends FactsOf<N> ? [] : [FactsOf<N>]): never {
  throw new Refusal(name, facts[0] ?? {})
}
