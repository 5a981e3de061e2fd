import { withoutCardNumbers } from './card-number.ts'

/**
 * Every way in which the service says no to a caller: one table. The wire form (`{"error": {type, error_type,
 * message, code, help, …}}`), the statuses, the codes and the sentence of each code
 * (`message`) are those of the ecosystem's clients, which compare them; what is wrong and what to do about it stands
 * beside it, in our own words (`help`). A processor's no is not a
 * refusal but data on the payment.
 */
type Type = 'invalid_request' | 'api' | 'connector' | 'blocked'

type Entry<F> = {
  status: number
  code: string
  type: Type
  /** Seconds after which trying again makes sense: becomes the `Retry-After` header. */
  retryAfter?: number
  /** Headers that belong to the answer besides. */
  headers?(facts: F): Record<string, string>
  /** The ecosystem's sentence; ours, where it has none. */
  says(facts: F): string
  /** The fault in our own words, where the message does not name it. */
  explains?(facts: F): string | undefined
  /** What to do about it. Where a place that refuses knows better, it says so (`help` among the facts). */
  remedy: string
  /** Extra members of `error`, absent unless named. */
  members?(facts: F): Record<string, unknown>
}

const entry = <F>(is: Entry<F>): Entry<F> => is

/**
 * Facts of entries whose words are free. `says`: the ecosystem's sentence for this very case, explained by the words
 * then.
 */
type Free = { words: string; says?: string | undefined; help?: string | undefined }

/** What a field is told. `says`: as above. */
type OfField = Free & { field: string }

const explained = ({ says, words }: Free): string | undefined => (says === undefined ? undefined : words)
const ofField = ({ field, words }: { field: string | null; words: string }): string => (field === null ? words : `${field}: ${words}`)

/** Messages name what callers sent, and callers send anything. */
const LONGEST_MESSAGE = 5000
function fit(words: string): string {
  const plain = withoutCardNumbers(words)
  return plain.length <= LONGEST_MESSAGE ? plain : `${plain.slice(0, LONGEST_MESSAGE).toWellFormed()}…`
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** What the ecosystem says of things that are not there, where that is not just their name. */
const absences: Readonly<Record<string, (id: string) => string>> = {
  refund: () => 'Refund does not exist in our records.',
  'connector account': () => 'Merchant connector account does not exist in our records',
  'business profile': id => `Business profile with the given id ${id} does not exist`,
  'routing algorithm': () => 'Resource ID does not exist in our records',
  'payment link': () => 'Payment Link does not exist in our records',
  'API key': () => 'API Key does not exist in our records',
}

const absence = (what: string, id: string): string => absences[what]?.(id) ?? `${capital(what)} does not exist in our records`

/** What the ecosystem says of things that are there already. */
const presences: Readonly<Record<string, (id: string, profile_id?: string) => string>> = {
  payment: () => 'The payment with the specified payment_id already exists in our records',
  refund: () => 'Duplicate refund request. Refund already attempted with the refund ID',
  'payment method collect link': () => 'payment method collect link already exists',
  payout: id => `The payout with the specified payout_id '${id}' already exists in our records`,
  'connector account': (id, profile_id) =>
    `The merchant connector account with the specified ${profile_id === undefined ? `merchant_connector_id '${id}'` : `profile_id '${profile_id}' and connector_label '${id}'`} already exists in our records`,
}

const presence = (what: string, id: string, profile_id?: string): string =>
  presences[what]?.(id, profile_id) ?? `The ${what} with the specified details already exists in our records`

export const catalogue = {
  key_missing_or_unknown: entry<{ help?: string }>({
    status: 401,
    code: 'IR_01',
    type: 'invalid_request',
    says: () => 'API key not provided or invalid API key used',
    explains: () => 'The api-key header is missing, or its key is unknown, revoked, expired or of another merchant than the path names',
    remedy: 'Send the key in the `api-key` header; check that it is of this deployment, not revoked, and of the merchant in the path',
  }),
  unknown_url: entry<{ method: string; path: string }>({
    status: 404,
    code: 'IR_02',
    type: 'invalid_request',
    says: () => 'Unrecognized request URL',
    explains: f => `There is nothing at ${f.method} ${f.path}`,
    remedy: 'Check the address against the operations under /docs',
  }),
  wrong_method: entry<{ method: string; welcome: readonly string[] }>({
    status: 405,
    code: 'IR_03',
    type: 'invalid_request',
    headers: f => ({ allow: f.welcome.join(', ') }),
    says: () => 'The HTTP method is not applicable for this API',
    explains: f => `${f.method} is not understood here; welcome: ${f.welcome.join(', ')}`,
    remedy: 'Use one of the methods that are named here and in the `Allow` header',
  }),
  missing: entry<{ field: string; help?: string }>({
    status: 400,
    code: 'IR_04',
    type: 'invalid_request',
    says: f => `Missing required param: ${f.field}`,
    remedy: 'Send the value that the message names',
  }),
  malformed: entry<{ field: string; expected: string; explained?: string; help?: string }>({
    status: 422,
    code: 'IR_05',
    type: 'invalid_request',
    says: f => `${f.field} contains invalid data. Expected format is ${f.expected}`,
    explains: f => f.explained,
    remedy: 'Send the value in the form that the message asks for',
  }),
  unreadable: entry<Omit<Free, 'words'> & { field: string | null; words: string; of?: 'Query' }>({
    status: 400,
    code: 'IR_06',
    type: 'invalid_request',
    says: f => (f.says ?? `Json deserialize error: ${ofField(f)}`).replace(/^Json/, f.of ?? 'Json'),
    explains: f => (f.says === undefined ? undefined : ofField(f)),
    remedy: 'Correct the body, or the member that is named: it is not JSON, an unknown member, of a wrong type, or too large',
  }),
  headers_too_large: entry<object>({
    status: 431,
    code: 'IR_06',
    type: 'invalid_request',
    says: () => 'The headers or the address are larger than 16 kB',
    remedy: 'Send fewer or shorter headers, and what is long in the body',
  }),
  too_slow: entry<object>({
    status: 408,
    code: 'IR_06',
    type: 'invalid_request',
    says: () => 'The request did not arrive whole in time',
    remedy: 'Send it again, at once',
  }),
  compressed: entry<object>({
    status: 415,
    code: 'IR_06',
    type: 'invalid_request',
    headers: () => ({ 'accept-encoding': 'identity' }),
    says: () => 'The body is compressed (content-encoding); it must be sent as it is',
    remedy: 'Send the body as it is, without `content-encoding`',
  }),
  too_long: entry<{ field: string; limit: number; received: number }>({
    status: 422,
    code: 'IR_06',
    type: 'invalid_request',
    says: f => `${f.field} must be at most ${f.limit} characters long. Received ${f.received} characters`,
    remedy: 'Shorten the value',
  }),
  unacceptable: entry<OfField>({
    status: 422,
    code: 'IR_06',
    type: 'invalid_request',
    says: f => f.says ?? ofField(f),
    explains: f => (f.says === undefined ? undefined : ofField(f)),
    remedy: 'Change or leave out the member that is named',
  }),
  key_reused: entry<object>({
    status: 422,
    code: 'IR_06',
    type: 'invalid_request',
    says: () => 'This Idempotency-Key was used for another request: other path or other body',
    remedy: 'Make a new Idempotency-Key for every new request; send the old one only with the same body to the same address',
  }),
  invalid_value: entry<{ field: string; words: string; help?: string }>({
    status: 400,
    code: 'IR_07',
    type: 'invalid_request',
    says: f => `Invalid value provided: ${f.field.split('.').at(-1)}`,
    explains: ofField,
    remedy: 'Change the value',
  }),
  client_secret_expired: entry<object>({
    status: 400,
    code: 'IR_08',
    type: 'invalid_request',
    says: () => 'The provided client_secret has expired',
    remedy: 'Create a new payment; `session_expiry` makes the session longer',
  }),
  client_secret_mismatch: entry<object>({
    status: 400,
    code: 'IR_09',
    type: 'invalid_request',
    says: () => 'The client_secret provided does not match the client_secret associated with the Payment',
    explains: () => 'client_secret is that of another payment or payment method',
    remedy: 'Use the client_secret of this one',
  }),
  active_mandate: entry<object>({
    status: 400,
    code: 'IR_10',
    type: 'invalid_request',
    // The ecosystem's own spelling.
    says: () => 'Customer has active mandate/subsciption',
    remedy: 'Revoke the mandates of the customer first: POST /mandates/revoke/{mandate_id}',
  }),
  customer_redacted: entry<object>({
    status: 400,
    code: 'IR_11',
    type: 'invalid_request',
    says: () => 'Customer has already been redacted',
    explains: () => 'This customer was deleted, and nothing is known of them any more',
    remedy: 'Use another customer_id: one that was deleted cannot come back',
  }),
  too_many_refunds: entry<{ limit: number }>({
    status: 400,
    code: 'IR_12',
    type: 'invalid_request',
    says: () => 'Reached maximum refund attempts',
    explains: f => `A payment takes at most ${f.limit} refunds`,
    remedy: 'Give the rest back by other means',
  }),
  refund_too_large: entry<{ amount: number; left: number; of: string }>({
    status: 400,
    code: 'IR_13',
    type: 'invalid_request',
    says: () => 'The refund amount exceeds the amount captured',
    explains: f => `amount ${f.amount} exceeds what is left to refund: ${f.left}${f.of}`,
    remedy: 'Refund at most what is left',
  }),
  wrong_state: entry<{ flow: string; field: string; value: string; welcome: readonly string[]; explained?: string }>({
    status: 400,
    code: 'IR_14',
    type: 'invalid_request',
    says: f =>
      `This Payment could not be ${f.flow} because it has a ${f.field} of ${f.value}. The expected state is ${f.welcome.join(', ')}`,
    explains: f => f.explained,
    remedy: 'Retrieve the payment and look at its `status`; the message names the statuses in which this is possible',
  }),
  precondition: entry<Free & { field?: string }>({
    status: 400,
    code: 'IR_16',
    type: 'invalid_request',
    says: f => f.says ?? f.words,
    explains: explained,
    remedy: 'Change what is said here, or bring about what it asks for',
  }),
  too_many_failures: entry<object>({
    status: 400,
    code: 'IR_16',
    type: 'invalid_request',
    says: () => 'Too many attempts to pay have failed from here, so this one was not made; try again later',
    remedy:
      'Let the customer try again later, or take the payment on your server; the limits are the profile’s `card_testing_guard_config`',
  }),
  unauthorized: entry<Free>({
    status: 401,
    code: 'IR_18',
    type: 'invalid_request',
    says: f => f.says ?? f.words,
    explains: explained,
    remedy: 'Use a key that may do this',
  }),
  not_supported: entry<Free>({
    status: 400,
    code: 'IR_19',
    type: 'invalid_request',
    says: () => 'Payment method type not supported',
    explains: f => f.words,
    remedy: 'Leave the member out: it would not do what it says',
    members: f => ({ reason: f.words }),
  }),
  flow_not_supported: entry<{ flow: string; connector: string }>({
    status: 400,
    code: 'IR_20',
    type: 'invalid_request',
    says: f => `${f.flow} flow not supported`,
    explains: f => `${f.connector} does not know ${f.flow}`,
    remedy: 'Leave the step out, or use a connector that knows it',
    members: f => ({ connector: f.connector }),
  }),
  several_missing: entry<{ fields: readonly string[] }>({
    status: 400,
    code: 'IR_21',
    type: 'invalid_request',
    says: () => 'Missing required params',
    explains: f => `These are missing: ${f.fields.join(', ')}`,
    remedy: 'Send the values named in `data`',
    members: f => ({ data: f.fields }),
  }),
  forbidden: entry<Free>({
    status: 403,
    code: 'IR_22',
    type: 'invalid_request',
    says: () => 'Access forbidden. Not authorized to access this resource',
    explains: f => f.words,
    remedy: 'The key is good but of the wrong kind: see Keys',
  }),
  platform_alone: entry<object>({
    status: 400,
    code: 'IR_43',
    type: 'invalid_request',
    says: () => 'API does not support platform account operation',
    explains: () => 'A platform account takes no payments of its own',
    remedy: 'Name the connected account in the header `x-connected-merchant-id`',
  }),
  no_platform: entry<object>({
    status: 401,
    code: 'IR_44',
    type: 'invalid_request',
    says: () => 'Invalid platform account operation',
    explains: () => 'x-connected-merchant-id is for the secret key of a platform, and names an account that is connected to it',
    remedy: 'Leave `x-connected-merchant-id` out, or send it with the platform’s secret key and the id of one of its connected accounts',
  }),
  connected_account: entry<object>({
    status: 401,
    code: 'IR_50',
    type: 'invalid_request',
    says: () => 'Invalid connected account operation',
    explains: () => 'A connected account acts for itself alone: x-connected-merchant-id is for the secret key of its platform',
    remedy: 'Leave `x-connected-merchant-id` out',
  }),
  nothing_to_pay_with: entry<object>({
    status: 422,
    code: 'IR_06',
    type: 'invalid_request',
    says: () => 'A payment token or payment method data or ctp service details is required',
    remedy: 'Send payment_method_data, a payment_token, or recurring_details with off_session: true',
  }),
  no_extended_card_info: entry<object>({
    status: 404,
    code: 'IR_27',
    type: 'invalid_request',
    says: () => 'Extended card info does not exist',
    explains: () => 'The profile does not give it, or the payment was not confirmed with a card of its own within `ttl_in_secs`',
    remedy: 'Have the operator set extended_card_info_config of the profile, switch it on, and ask soon after the confirmation',
  }),
  token_unusable: entry<object>({
    status: 422,
    code: 'IR_29',
    type: 'invalid_request',
    says: () => 'Token is invalid or expired',
    explains: () => 'payment_token is unknown, has expired, or is not of this customer',
    remedy: 'List the payment methods of the customer again: each list makes new tokens, good for a quarter of an hour',
  }),
  unknown: entry<{ what: string }>({
    status: 404,
    code: 'IR_37',
    type: 'invalid_request',
    says: f => `${f.what} not found`,
    explains: f => `There is no such ${f.what}`,
    remedy: 'Check the name: there is nothing called so',
  }),
  taken: entry<{ what: string; name: string }>({
    status: 400,
    code: 'IR_38',
    type: 'invalid_request',
    says: f => `There is a ${f.what} called ${f.name} already`,
    remedy: 'Choose another name, or change what exists',
  }),
  file_missing: entry<object>({
    status: 400,
    code: 'IR_33',
    type: 'invalid_request',
    says: () => 'File not found in the request',
    explains: () => 'file is missing: the form has no file of that name, or an empty one',
    remedy: 'Send the file as the part `file` of the form',
  }),
  dispute_id_missing: entry<object>({
    status: 400,
    code: 'IR_34',
    type: 'invalid_request',
    says: () => 'Dispute id not found in the request',
    remedy: 'Send `dispute_id`: the dispute that the file is for',
  }),
  evidence_type_missing: entry<object>({
    status: 400,
    code: 'IR_35',
    type: 'invalid_request',
    says: () => 'File purpose not found in the request or is invalid',
    remedy: 'Send `evidence_type`: what the file shows, one of the evidence types',
  }),
  no_connector: entry<{ why: string }>({
    status: 400,
    code: 'IR_39',
    type: 'invalid_request',
    says: () => 'No eligible connector was found for the current payment method configuration',
    explains: f => `No connector account takes this payment: ${f.why}`,
    remedy: 'Look at the connector accounts: one must be enabled for this profile, method, currency and capture method',
    members: f => ({ reason: f.why }),
  }),
  not_implemented: entry<{ words: string }>({
    status: 501,
    code: 'IR_00',
    type: 'invalid_request',
    says: f => f.words,
    remedy: 'Leave the member out: it would not do what it says',
  }),
  duplicate: entry<{ what: string; id: string; profile_id?: string }>({
    status: 400,
    code: 'HE_01',
    type: 'invalid_request',
    says: f => presence(f.what, f.id, f.profile_id),
    explains: f => `A ${f.what} with id ${f.id} exists already, with other content`,
    remedy: 'Retrieve what exists under this id, or choose another id',
  }),
  not_found: entry<{ what: string; id?: string; help?: string }>({
    status: 404,
    code: 'HE_02',
    type: 'invalid_request',
    says: f => absence(f.what, f.id ?? ''),
    explains: f => `There is no such ${f.what}`,
    remedy: "Check the id, and that the key is of the merchant that made it: other merchants' objects do not exist for you",
    members: f => (f.what === 'connector account' && f.id !== undefined ? { reason: `${f.id} does not exist` } : {}),
  }),
  no_return_url: entry<object>({
    status: 404,
    code: 'HE_03',
    type: 'invalid_request',
    says: () => 'Return URL is not configured and not passed in payments request',
    explains: () => 'Neither the payment nor its profile names a return_url',
    remedy: 'Send `return_url` with the payment, or give the merchant one',
  }),
  mandate_violated: entry<{ words: string; reason?: string }>({
    status: 400,
    code: 'HE_03',
    type: 'invalid_request',
    says: () => 'Mandate Validation Failed',
    explains: f => `The mandate does not allow this: ${f.words}`,
    remedy: 'Charge at most what the customer agreed to, or have them agree anew',
    members: f => ({ reason: f.reason ?? f.words }),
  }),
  dispute_refused: entry<{ words: string }>({
    status: 400,
    code: 'HE_03',
    type: 'invalid_request',
    says: () => 'Dispute status validation failed',
    explains: f => f.words,
    remedy: 'Retrieve the dispute and look at its `dispute_stage`, `dispute_status` and `challenge_required_by`',
    members: f => ({ reason: f.words }),
  }),
  file_refused: entry<{ words: string }>({
    status: 400,
    code: 'HE_03',
    type: 'invalid_request',
    says: f => `File validation failed ${f.words}`,
    explains: f => `The file is no evidence: ${f.words}`,
    remedy: 'Send a PDF, JPEG or PNG file within the size that is named',
    members: f => ({ reason: f.words }),
  }),
  absent: entry<{ what: string }>({
    status: 404,
    code: 'HE_04',
    type: 'invalid_request',
    says: f => absence(f.what, ''),
    remedy: 'Check the id, and that the key is of the merchant whose it is',
  }),
  connector_refused: entry<{ connector: string; code: string; reason: string }>({
    status: 400,
    code: 'CE_00',
    type: 'connector',
    says: f => `${f.code}: ${f.reason}`,
    remedy: 'Do what the message of the processor says; nothing has changed here',
    members: f => ({ connector: f.connector, reason: f.reason }),
  }),
  mandate_differs: entry<{ fields: readonly string[] }>({
    status: 400,
    code: 'IR_46',
    type: 'invalid_request',
    says: f => `Field ${f.fields.join(', ')} doesn't match with the ones used during mandate creation`,
    explains: f => `What is saved was agreed on for another way to pay: ${f.fields.join(', ')}`,
    remedy: 'Leave the members named in `fields` out, or say them as they are of the saved payment method',
    members: f => ({ fields: f.fields.join(', ') }),
  }),
  blocked: entry<{ payment_id: string }>({
    // An error by its body alone: so the ecosystem's clients know it.
    status: 200,
    code: 'HE_03',
    type: 'blocked',
    says: () => 'This payment method is blocked',
    explains: () => 'The payment was blocked: what it is paid with is on the blocklist',
    remedy:
      'Ask for another way to pay; the payment, which is `failed`, says by `fingerprint` and `card_isin` what may be taken off the blocklist',
    members: f => ({ reason: 'Blocked', payment_id: f.payment_id }),
  }),
  unheard: entry<object>({
    status: 422,
    code: 'HE_00',
    type: 'api',
    retryAfter: 2,
    says: () => 'The directory of the card scheme has not answered; ask again, the same',
    remedy: 'Send the same request again after `Retry-After` seconds: nothing has changed by it',
  }),
  busy: entry<object>({
    status: 422,
    code: 'HE_00',
    type: 'api',
    retryAfter: 1,
    says: () => 'Resource is busy. Please try again later.',
    explains: () => 'The resource is being changed by another request',
    remedy: 'Send the same request again after `Retry-After` seconds',
  }),
  still_running: entry<object>({
    status: 409,
    code: 'HE_00',
    type: 'api',
    retryAfter: 1,
    says: () => 'The first request with this Idempotency-Key is still running',
    remedy: 'Send the same request again after `Retry-After` seconds: it will be given the answer of the first',
  }),
  unavailable: entry<{ words: string; help?: string }>({
    status: 503,
    code: 'HE_00',
    type: 'api',
    retryAfter: 2,
    says: f => f.words,
    remedy: 'Send the same request again after `Retry-After` seconds, under the same Idempotency-Key or id',
  }),
  internal: entry<object>({
    status: 500,
    code: 'HE_00',
    type: 'api',
    says: () => 'Something went wrong',
    explains: () => 'The mistake is ours; the request id names it in the log',
    remedy:
      'Send the same request again, under the same Idempotency-Key or id; if it stays, tell the operator the `x-request-id` of the answer',
  }),
  webhook_unverified: entry<object>({
    status: 401,
    code: 'WE_01',
    type: 'invalid_request',
    says: () => 'Webhook authentication failed',
    explains: () => 'The webhook is not signed by the processor of this account',
    remedy: 'Give the connector account the secret that the processor signs with: `connector_webhook_details.merchant_secret`',
  }),
  webhook_unknown: entry<object>({
    status: 404,
    code: 'WE_04',
    type: 'invalid_request',
    says: () => 'Webhook resource was not found',
    explains: () => 'There is no such merchant or connector account',
    remedy:
      'Correct the address at the processor: /webhooks/{merchant_id}/{merchant_connector_id}, or the connector’s name if the merchant has one account of it',
  }),
} as const

export type RefusalName = keyof typeof catalogue
export type FactsOf<N extends RefusalName> = (typeof catalogue)[N] extends Entry<infer F> ? F : never

/** Thrown anywhere, caught once, in `http/refused.ts`. Its message is what clients compare. */
export class Refusal extends Error {
  readonly refusal: RefusalName
  readonly entry: Entry<never>
  readonly facts: unknown
  /** All mistakes of the same request, this one first, where there are several. */
  all: readonly Refusal[] | null = null
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

  /** The fault in our own words, where the message does not name it. */
  get why(): string | undefined {
    const why = this.entry.explains?.(this.facts as never)
    return why === undefined ? undefined : fit(why)
  }

  /** The fault and its remedy, in sentences. */
  get help(): string {
    const { help = this.entry.remedy } = this.facts as { help?: string }
    return [this.why, fit(help)].flatMap(said => (said === undefined ? [] : [`${said.replace(/\.$/, '')}.`])).join(' ')
  }

  private others(): { errors?: Record<string, unknown>[] } {
    if (this.all === null) return {}
    return { errors: this.all.map(({ field = null, entry: { code }, message, help }) => ({ field, code, message, help })) }
  }

  /**
   * The body on the wire. Absent members are left out, never null. Clients of body parsers in this ecosystem read
   * `error_type`, the others `type`.
   */
  body(): { error: Record<string, unknown> } {
    const { type, code, members } = this.entry
    return {
      error: { type, error_type: type, message: this.message, code, help: this.help, ...members?.(this.facts as never), ...this.others() },
    }
  }
}

/** Of so many mistakes at once each is named. */
const MOST_TOLD = 20

/** Several mistakes of one request as one refusal: the first decides what it is. */
export function together(all: readonly Refusal[]): Refusal {
  const [first] = all
  if (all.length > 1) first!.all = all.slice(0, MOST_TOLD)
  return first!
}

/**
 * What was refused, and what else is wrong with the same request: checks that do not need each other, and are made one
 * by one only once one of them has refused, so that what is right pays nothing for it. To be thrown.
 */
export function withOthers(error: unknown, checks: readonly (() => unknown)[]): unknown {
  if (!(error instanceof Refusal)) return error
  const told = new Map<string, Refusal>()
  const tell = (refusal: Refusal) => {
    for (const one of refusal.all ?? [refusal]) {
      const name = `${one.field} ${one.message} ${one.why}`
      if (!told.has(name)) told.set(name, one)
    }
  }
  tell(error)
  for (const check of checks) {
    try {
      check()
    } catch (other) {
      // What only stumbles over the mistake that was told is no other one.
      if (other instanceof Refusal) tell(other)
    }
  }
  return together([...told.values()])
}

/** Makes checks that do not need each other, in turn. Refuses with all that they refuse. */
export function checkAll<A extends unknown[]>(checks: readonly ((...args: A) => unknown)[], ...args: A): void {
  try {
    for (let i = 0; i < checks.length; i++) checks[i]!(...args)
  } catch (error) {
    throw withOthers(
      error,
      checks.map(check => () => check(...args)),
    )
  }
}

/** Says no. Never returns. */
export function refuse<N extends RefusalName>(name: N, ...facts: object extends FactsOf<N> ? [] : [FactsOf<N>]): never {
  throw new Refusal(name, facts[0] ?? {})
}
