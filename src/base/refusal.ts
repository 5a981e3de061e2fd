import { withoutCardNumbers } from './card-number.ts'

/**
 * The catalogue of all errors for callers, as one table. The wire form (`{"error": {type, error_type, message, code,
 * help, …}}`), the statuses, the codes and the sentence of each code (`message`) are those of the ecosystem's clients,
 * which compare them. `help` explains the fault and the remedy in the service's own words. A processor's decline is
 * not a refusal but data on the payment.
 */
type Type = 'invalid_request' | 'api' | 'connector' | 'blocked'

/** A template with facts as `{name}`, or a function that chooses one; without facts (docs), the ordinary case. */
type Words<F> = string | ((facts: Partial<F>) => string | undefined)

type Entry<F> = {
  status: number
  code: string
  type: Type
  /** Seconds after which the caller may retry, sent as the `Retry-After` header. */
  retryAfter?: number
  /** Further headers of the answer. */
  headers?(facts: F): Record<string, string>
  /** Facts that hold where none are given. */
  defaults?: Partial<F>
  /** The message: the ecosystem's sentence, or the service's own where the ecosystem has none. */
  message: Words<F>
  /** The fault in the service's own words, where the message does not name the fault. */
  explains?: Words<F>
  /** The remedy for the caller. Code that refuses a request can give a more exact remedy (`help` among the facts). */
  remedy: string
  /** Further members of `error`. */
  members?(facts: Partial<F>): Record<string, unknown>
}

/** The names in braces of a template. */
type NamesIn<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
/** Accepts a template only if all its names are facts. */
type Known<T, F> = NamesIn<T> extends keyof F ? unknown : never

/** Returns an entry of the catalogue: a 400 `invalid_request`, unless its own members differ. */
const entry =
  <F = object>() =>
  <const M extends Words<F>, const E extends Words<F>>(
    is: Partial<Entry<F>> & { code: string; remedy: string; message: M & Known<M, F>; explains?: E & Known<E, F> },
  ): Entry<F> => ({ status: 400, type: 'invalid_request', ...is })

/** The facts of free text. `sentence`: the ecosystem's; if given, it is the message, and `problem` explains it. */
type Free = { problem: string; sentence?: string | undefined; help?: string | undefined }

/** The facts of an entry about one field. `sentence`: as in `Free`. */
type OfField = Free & { field: string }

const sentenceOr = ({ sentence }: { sentence?: string | undefined }, template: string): string =>
  sentence === undefined ? template : '{sentence}'
const besideSentence = ({ sentence }: { sentence?: string | undefined }, template: string): string | undefined =>
  sentence === undefined ? undefined : template

/** Words that continue a sentence whose subject is the field's name: "capture_on must be in the future". */
const PREDICATE =
  /^(?:must|may|can|is|has|and|needs|requires|holds|contains|lists|takes|supports|cannot|does|looks|exceeds|belongs|differs)\b/
const ofField = ({ field, problem = '' }: { field?: string | null; problem?: string }): string =>
  field === null ? '{problem}' : PREDICATE.test(problem) ? '{field} {problem}' : '{field}: {problem}'

/** Returns a template with its facts; a fact that is not given is left out. */
const fill = (template: string, facts: Readonly<Record<string, unknown>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const fact = facts[name] ?? ''
    return Array.isArray(fact) ? fact.join(', ') : String(fact)
  })

/** The longest message, in characters. Messages quote values of the request, which can be of any length. */
const LONGEST_MESSAGE = 5000
function fit(text: string): string {
  const plain = withoutCardNumbers(text)
  return plain.length <= LONGEST_MESSAGE ? plain : `${plain.slice(0, LONGEST_MESSAGE).toWellFormed()}…`
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The ecosystem's sentences for objects that do not exist, where the sentence is more than the object's name. */
const absences: Readonly<Record<string, string>> = {
  refund: 'Refund does not exist in our records.',
  'connector account': 'Merchant connector account does not exist in our records',
  'business profile': 'Business profile with the given id {id} does not exist',
  'routing algorithm': 'Resource ID does not exist in our records',
  'payment link': 'Payment Link does not exist in our records',
  'API key': 'API Key does not exist in our records',
}
const absence = ({ what = '{what}' }: { what?: string }): string => absences[what] ?? `${capital(what)} does not exist in our records`

/** The ecosystem's sentences for objects that exist already. */
const presences: Readonly<Record<string, string>> = {
  payment: 'The payment with the specified payment_id already exists in our records',
  refund: 'Duplicate refund request. Refund already attempted with the refund ID',
  'payment method collect link': 'payment method collect link already exists',
  payout: "The payout with the specified payout_id '{id}' already exists in our records",
  'connector account': "The merchant connector account with the specified merchant_connector_id '{id}' already exists in our records",
  'connector account of a profile':
    "The merchant connector account with the specified profile_id '{profile_id}' and connector_label '{id}' already exists in our records",
}
const presence = ({ what = '', profile_id }: { what?: string; profile_id?: string }): string =>
  (profile_id === undefined ? undefined : presences[`${what} of a profile`]) ??
  presences[what] ??
  'The {what} with the specified details already exists in our records'

export const refusalCatalogue = {
  key_missing_or_unknown: entry<{ help?: string }>()({
    status: 401,
    code: 'IR_01',
    message: 'API key not provided or invalid API key used',
    explains:
      'The api-key header is missing, or the key is unknown, revoked, expired, or belongs to another merchant than the one in the path',
    remedy:
      'Send the key in the `api-key` header, and check that it was created in this deployment, has not been revoked, and belongs to the merchant in the path',
  }),
  unknown_url: entry<{ method: string; path: string }>()({
    status: 404,
    code: 'IR_02',
    message: 'Unrecognized request URL',
    explains: 'No operation exists at {method} {path}',
    remedy: 'Check the URL against the operations listed in /docs',
  }),
  wrong_method: entry<{ method: string; allowed: readonly string[] }>()({
    status: 405,
    code: 'IR_03',
    headers: f => ({ allow: f.allowed.join(', ') }),
    message: 'The HTTP method is not applicable for this API',
    explains: '{method} is not supported at this URL; supported methods: {allowed}',
    remedy: 'Use one of the supported methods, which the `Allow` header also lists',
  }),
  missing: entry<{ field: string; help?: string }>()({
    code: 'IR_04',
    message: 'Missing required param: {field}',
    remedy: 'Send the parameter named in the message',
  }),
  malformed: entry<{ field: string; expected: string; explained?: string; help?: string }>()({
    status: 422,
    code: 'IR_05',
    message: '{field} contains invalid data. Expected format is {expected}',
    explains: f => (f.explained === undefined ? undefined : '{explained}'),
    remedy: 'Send the value in the format given in the message',
  }),
  unreadable: entry<Omit<Free, 'problem'> & { field: string | null; problem: string; of?: 'Json' | 'Query' }>()({
    code: 'IR_06',
    defaults: { of: 'Json' },
    message: f => sentenceOr(f, `{of} deserialize error: ${ofField(f)}`),
    explains: f => besideSentence(f, ofField(f)),
    remedy:
      'Correct the body or the named parameter: the body is not valid JSON or is too large, or the parameter is unknown or has the wrong type',
  }),
  headers_too_large: entry()({
    status: 431,
    code: 'IR_06',
    message: 'The request headers or the URL exceed 16 kB',
    remedy: 'Send fewer or shorter headers, and move long values to the body',
  }),
  too_slow: entry()({
    status: 408,
    code: 'IR_06',
    message: 'The request was not received completely within the time limit',
    remedy: 'Retry the request, and send all of it without delay',
  }),
  compressed: entry()({
    status: 415,
    code: 'IR_06',
    headers: () => ({ 'accept-encoding': 'identity' }),
    message: 'The body is compressed (content-encoding); compressed bodies are not supported',
    remedy: 'Send the body uncompressed, without `content-encoding`',
  }),
  too_long: entry<{ field: string; limit: number; received: number }>()({
    status: 422,
    code: 'IR_06',
    message: '{field} must be at most {limit} characters long. Received {received} characters',
    remedy: 'Shorten the value',
  }),
  unacceptable: entry<OfField>()({
    status: 422,
    code: 'IR_06',
    message: f => sentenceOr(f, ofField(f)),
    explains: f => besideSentence(f, ofField(f)),
    remedy: 'Correct or remove the named parameter',
  }),
  key_reused: entry()({
    status: 422,
    code: 'IR_06',
    message: 'This Idempotency-Key was already used for a request with a different path or body',
    remedy: 'Generate a new Idempotency-Key for each new request; reuse a key only to retry the same body at the same URL',
  }),
  invalid_value: entry<{ field: string; problem: string; help?: string }>()({
    code: 'IR_07',
    message: ({ field = '{field}' }) => `Invalid value provided: ${field.split('.').at(-1)}`,
    explains: ofField,
    remedy: 'Correct the value',
  }),
  client_secret_expired: entry()({
    code: 'IR_08',
    message: 'The provided client_secret has expired',
    remedy: 'Create a new payment; set `session_expiry` to extend the session',
  }),
  client_secret_mismatch: entry()({
    code: 'IR_09',
    message: 'The client_secret provided does not match the client_secret associated with the Payment',
    explains: 'client_secret belongs to another payment or payment method',
    remedy: 'Use the client_secret returned with this payment or payment method',
  }),
  active_mandate: entry()({
    code: 'IR_10',
    // The misspelling is the ecosystem's, and its clients compare the message.
    message: 'Customer has active mandate/subsciption',
    remedy: 'Revoke the customer’s mandates first: POST /mandates/revoke/{mandate_id}',
  }),
  customer_redacted: entry()({
    code: 'IR_11',
    message: 'Customer has already been redacted',
    explains: 'This customer was deleted and their data was erased',
    remedy: 'Use another customer_id: a deleted customer cannot be restored',
  }),
  too_many_refunds: entry<{ limit: number }>()({
    code: 'IR_12',
    message: 'Reached maximum refund attempts',
    explains: 'A payment can be refunded at most {limit} times',
    remedy: 'Return the remaining amount outside this API',
  }),
  refund_too_large: entry<{ amount: number; left: number; of: string }>()({
    code: 'IR_13',
    message: 'The refund amount exceeds the amount captured',
    explains: 'amount {amount} exceeds the amount left to refund: {left}{of}',
    remedy: 'Refund at most the amount left',
  }),
  wrong_state: entry<{ flow: string; field: string; value: string; expected: readonly string[]; explained?: string }>()({
    code: 'IR_14',
    message: 'This Payment could not be {flow} because it has a {field} of {value}. The expected state is {expected}',
    explains: f => (f.explained === undefined ? undefined : '{explained}'),
    remedy: 'Retrieve the payment and check its `status`; the message lists the statuses that allow this operation',
  }),
  precondition: entry<Free & { field?: string }>()({
    code: 'IR_16',
    message: f => sentenceOr(f, '{problem}'),
    explains: f => besideSentence(f, '{problem}'),
    remedy: 'Correct the request, or meet the condition described here first',
  }),
  moved_outside: entry<{ verb: string; connector: string; movements: string }>()({
    code: 'IR_16',
    message: 'The {verb} was not made: {connector} reports {movements}, made there by others',
    remedy: 'Retrieve the payment: it shows what was done at the processor',
  }),
  too_many_failures: entry()({
    code: 'IR_16',
    message: 'Too many failed payment attempts from this source; this attempt was not made. Try again later',
    remedy:
      'Let the customer try again later, or confirm the payment from your server; the limits are set in the profile’s `card_testing_guard_config`',
  }),
  unauthorized: entry<Free>()({
    status: 401,
    code: 'IR_18',
    message: f => sentenceOr(f, '{problem}'),
    explains: f => besideSentence(f, '{problem}'),
    remedy: 'Use a key with permission for this operation',
  }),
  not_supported: entry<Free>()({
    code: 'IR_19',
    message: 'Payment method type not supported',
    explains: '{problem}',
    remedy: 'Remove the parameter: it is not supported here',
    members: f => ({ reason: f.problem }),
  }),
  flow_not_supported: entry<{ flow: string; connector: string }>()({
    code: 'IR_20',
    message: '{flow} flow not supported',
    explains: '{connector} does not support {flow}',
    remedy: 'Skip this step, or use a connector that supports it',
    members: f => ({ connector: f.connector }),
  }),
  several_missing: entry<{ fields: readonly string[] }>()({
    code: 'IR_21',
    message: 'Missing required params',
    explains: 'Required parameters are missing: {fields}',
    remedy: 'Send the parameters listed in `data`',
    members: f => ({ data: f.fields }),
  }),
  forbidden: entry<Free>()({
    status: 403,
    code: 'IR_22',
    message: 'Access forbidden. Not authorized to access this resource',
    explains: '{problem}',
    remedy: 'The key is valid, but its type does not permit this operation; see Keys',
  }),
  session_over: entry()({
    status: 401,
    code: 'IR_17',
    // The sentence is the ecosystem's. A session of this service is not a JWT.
    message: 'Access forbidden, invalid JWT token was used',
    explains: 'There is no session, it is over, or it waits for its second factor',
    remedy: 'Sign in: POST /user/sign_in',
  }),
  sign_in_refused: entry()({
    status: 401,
    code: 'UR_01',
    message: 'Incorrect email or password',
    explains: 'No account has this e-mail address and this password',
    remedy: 'Check both, or ask for a new password with POST /user/password/forgotten',
  }),
  link_invalid: entry()({
    status: 401,
    code: 'UR_04',
    message: 'Invalid or expired link',
    explains: 'The link was used, has expired, or was replaced by a newer one',
    remedy: 'Ask for a new link',
  }),
  code_refused: entry()({
    status: 401,
    code: 'UR_37',
    message: 'Invalid TOTP',
    explains: 'The code is wrong, or was used before',
    remedy: 'Send the code that the authenticator shows now, or a recovery code; after five wrong ones, sign in again',
  }),
  passkey_refused: entry()({
    status: 401,
    code: 'UR_50',
    message: 'The passkey was not accepted',
    explains: 'The answer is to another challenge, of another site or passkey, or was sent before',
    remedy: 'Ask for new options, and let the authenticator answer them',
  }),
  sso_required: entry()({
    status: 401,
    code: 'UR_51',
    message: 'This account signs in by single sign-on',
    explains: 'An invitation sets no password for an account that came by single sign-on',
    remedy: 'Sign in by single sign-on: the invitation is accepted with it',
  }),
  too_many_tries: entry<{ seconds: number }>()({
    status: 429,
    code: 'UR_48',
    headers: f => ({ 'retry-after': String(f.seconds) }),
    message: 'Too many wrong attempts; try again later',
    explains: 'Ten attempts were wrong; the next is possible in {seconds} seconds',
    remedy: 'Wait as long as `Retry-After` says',
  }),
  platform_alone: entry()({
    code: 'IR_43',
    message: 'API does not support platform account operation',
    explains: 'A platform account cannot take payments for itself',
    remedy: 'Send the connected account’s id in the `x-connected-merchant-id` header',
  }),
  no_platform: entry()({
    status: 401,
    code: 'IR_44',
    message: 'Invalid platform account operation',
    explains: 'x-connected-merchant-id requires the secret key of a platform and must name one of its connected accounts',
    remedy: 'Remove `x-connected-merchant-id`, or send it with the platform’s secret key and the id of one of its connected accounts',
  }),
  connected_account: entry()({
    status: 401,
    code: 'IR_50',
    message: 'Invalid connected account operation',
    explains: 'A connected account can only act for itself; x-connected-merchant-id requires the secret key of its platform',
    remedy: 'Remove the `x-connected-merchant-id` header',
  }),
  nothing_to_pay_with: entry()({
    status: 422,
    code: 'IR_06',
    message: 'A payment token or payment method data or ctp service details is required',
    remedy: 'Send payment_method_data, a payment_token, or recurring_details with off_session: true',
  }),
  no_extended_card_info: entry()({
    status: 404,
    code: 'IR_27',
    message: 'Extended card info does not exist',
    explains:
      'Extended card info is not enabled for the profile, or the payment was not confirmed with card data within the last `ttl_in_secs` seconds',
    remedy: 'Ask the operator to set the profile’s extended_card_info_config, enable it, and retrieve the info soon after confirmation',
  }),
  card_bin_unknown: entry<{ digits: string }>()({
    code: 'IR_31',
    message: 'No card info found for the provided BIN',
    explains: 'Nothing is known of cards that begin with {digits}',
    remedy: 'Import BIN data (npm run bins:import); until then, only test cards are known',
  }),
  card_bin_malformed: entry()({
    code: 'IR_32',
    message: 'The BIN must have six to eight digits',
    remedy: 'Send the first six to eight digits of the card number',
  }),
  token_unusable: entry()({
    status: 422,
    code: 'IR_29',
    message: 'Token is invalid or expired',
    explains: 'payment_token is unknown, has expired, or belongs to another customer',
    remedy: 'List the customer’s payment methods again: each list returns new tokens, valid for 15 minutes',
  }),
  unknown: entry<{ what: string }>()({
    status: 404,
    code: 'IR_37',
    message: '{what} not found',
    explains: 'No such {what} exists',
    remedy: 'Check the name or id',
  }),
  taken: entry<{ what: string; name: string }>()({
    code: 'IR_38',
    message: 'A {what} named {name} already exists',
    remedy: 'Choose another name, or update the existing one',
  }),
  file_missing: entry()({
    code: 'IR_33',
    message: 'File not found in the request',
    explains: 'The form part `file` is missing or empty',
    remedy: 'Send the file in the form part `file`',
  }),
  dispute_id_missing: entry()({
    code: 'IR_34',
    message: 'Dispute id not found in the request',
    remedy: 'Send `dispute_id`, the id of the dispute that the file belongs to',
  }),
  evidence_type_missing: entry()({
    code: 'IR_35',
    message: 'File purpose not found in the request or is invalid',
    remedy: 'Send `evidence_type`, one of the documented evidence types',
  }),
  no_connector: entry<{ why: string }>()({
    code: 'IR_39',
    message: 'No eligible connector was found for the current payment method configuration',
    explains: 'No connector account can process this payment: {why}',
    remedy: 'Check the connector accounts: one must be enabled for this profile, payment method, currency and capture method',
    members: f => ({ reason: f.why }),
  }),
  not_implemented: entry<{ problem: string }>()({
    status: 501,
    code: 'IR_00',
    message: '{problem}',
    remedy: 'Remove the parameter: it is not supported here',
  }),
  duplicate: entry<{ what: string; id: string; profile_id?: string }>()({
    code: 'HE_01',
    message: presence,
    explains: 'A {what} with id {id} already exists with different content',
    remedy: 'Retrieve the existing object by this id, or choose another id',
  }),
  not_found: entry<{ what: string; id?: string; help?: string }>()({
    status: 404,
    code: 'HE_02',
    message: absence,
    explains: 'No such {what} exists',
    remedy: 'Check the id, and that your key belongs to the merchant that created the object: you cannot access other merchants’ objects',
    members: f => (f.what === 'connector account' && f.id !== undefined ? { reason: `${f.id} does not exist` } : {}),
  }),
  no_return_url: entry()({
    status: 404,
    code: 'HE_03',
    message: 'Return URL is not configured and not passed in payments request',
    explains: 'Neither the payment nor its business profile has a return_url',
    remedy: 'Send `return_url` with the payment, or set one on the business profile',
  }),
  mandate_violated: entry<{ problem: string; reason?: string }>()({
    code: 'HE_03',
    message: 'Mandate Validation Failed',
    explains: 'The mandate does not permit this charge: {problem}',
    remedy: 'Stay within the terms of the mandate, or ask the customer to accept a new one',
    members: f => ({ reason: f.reason ?? f.problem }),
  }),
  dispute_refused: entry<{ problem: string }>()({
    code: 'HE_03',
    message: 'Dispute status validation failed',
    explains: '{problem}',
    remedy: 'Retrieve the dispute and check its `dispute_stage`, `dispute_status` and `challenge_required_by`',
    members: f => ({ reason: f.problem }),
  }),
  file_refused: entry<{ problem: string }>()({
    code: 'HE_03',
    message: 'File validation failed {problem}',
    explains: 'The file cannot be used as evidence: {problem}',
    remedy: 'Send a PDF, JPEG or PNG file within the size limit',
    members: f => ({ reason: f.problem }),
  }),
  absent: entry<{ what: string }>()({
    status: 404,
    code: 'HE_04',
    message: absence,
    remedy: 'Check the id, and that your key belongs to the merchant that created the object',
  }),
  connector_refused: entry<{ connector: string; code: string; reason: string }>()({
    code: 'CE_00',
    type: 'connector',
    message: '{code}: {reason}',
    remedy: 'Follow the processor’s message; nothing was changed',
    members: f => ({ connector: f.connector, reason: f.reason }),
  }),
  mandate_differs: entry<{ fields: readonly string[] }>()({
    code: 'IR_46',
    message: "Field {fields} doesn't match with the ones used during mandate creation",
    explains: 'This payment method was saved for another payment method type: {fields} must match',
    remedy: 'Remove the parameters listed in `fields`, or set them to the values of the saved payment method',
    members: f => ({ fields: f.fields?.join(', ') }),
  }),
  blocked: entry<{ payment_id: string; sentence?: string | undefined }>()({
    // The status is 200, and only the body is an error, because the ecosystem's clients expect it so.
    status: 200,
    code: 'HE_03',
    type: 'blocked',
    message: f => sentenceOr(f, 'This payment method is blocked'),
    explains: f =>
      f.sentence === undefined
        ? 'The payment was blocked: its payment method is on the blocklist'
        : 'The payment was blocked: payment_method_blocking of the business profile does not allow this kind of card',
    remedy:
      'Ask the customer for another payment method. The payment has `failed`; its `fingerprint` and `card_isin` can be removed from the blocklist',
    members: f => ({ reason: 'Blocked', payment_id: f.payment_id }),
  }),
  authentication_unanswered: entry()({
    status: 422,
    code: 'HE_00',
    retryAfter: 2,
    message: 'The authentication of the customer was not answered; retry the request',
    remedy: 'Retry the same request after `Retry-After` seconds: it continues the same authentication',
  }),
  busy: entry()({
    status: 422,
    code: 'HE_00',
    retryAfter: 1,
    message: 'Resource is busy. Please try again later.',
    explains: 'The resource is being changed by another request',
    remedy: 'Retry the same request after `Retry-After` seconds',
  }),
  still_running: entry()({
    status: 409,
    code: 'HE_00',
    retryAfter: 1,
    message: 'The first request with this Idempotency-Key is still running',
    remedy: 'Retry the same request after `Retry-After` seconds; it will receive the response to the first one',
  }),
  unavailable: entry<{ problem: string; help?: string }>()({
    status: 503,
    code: 'HE_00',
    type: 'api',
    retryAfter: 2,
    message: '{problem}',
    remedy: 'Retry the same request after `Retry-After` seconds, with the same Idempotency-Key or id',
  }),
  internal: entry()({
    status: 500,
    code: 'HE_00',
    type: 'api',
    message: 'Something went wrong',
    explains: 'An error occurred in the service; the request id identifies it in the log',
    remedy:
      'Retry the same request with the same Idempotency-Key or id; if the error persists, give the operator the `x-request-id` of the response',
  }),
  webhook_unverified: entry()({
    status: 401,
    code: 'WE_01',
    message: 'Webhook authentication failed',
    explains: 'The webhook was not signed with the secret of this connector account',
    remedy: 'Set the secret that the processor signs webhooks with in the connector account’s `connector_webhook_details.merchant_secret`',
  }),
  webhook_unknown: entry()({
    status: 404,
    code: 'WE_04',
    message: 'Webhook resource was not found',
    explains: 'No such merchant or connector account exists',
    remedy:
      'Correct the webhook URL at the processor: /webhooks/{merchant_id}/{merchant_connector_id}, or the connector’s name in place of the id if the merchant has a single account with it',
  }),
} as const

export type RefusalName = keyof typeof refusalCatalogue
export type FactsOf<N extends RefusalName> = (typeof refusalCatalogue)[N] extends Entry<infer F> ? F : never
/** A refusal by name, with the facts that its entry requires. */
export type NamedRefusal = { [N in RefusalName]: [name: N, facts: FactsOf<N>] }[RefusalName]

const chosen = (words: Words<object> | undefined, facts: object) => (typeof words === 'function' ? words(facts) : words)

function textOf(words: Words<object> | undefined, facts: object): string | undefined {
  const template = chosen(words, facts)
  return template === undefined ? undefined : fill(template, facts as Record<string, unknown>)
}

const sentences = (...texts: readonly (string | undefined)[]): string =>
  texts.flatMap(text => (text === undefined ? [] : [/[.?]$/.test(text) ? text : `${text}.`])).join(' ')

/** For the docs: message (with the refusal's name, if all words are facts), help, names of further members. */
export function templatesOf(name: RefusalName): { message: string; help: string; members: string[] } {
  const { message, explains, remedy, members } = refusalCatalogue[name] as Entry<object>
  const template = chosen(message, {})!
  return {
    message: template === '{problem}' ? `${capital(name.replaceAll('_', ' '))}: {problem}` : template,
    help: sentences(chosen(explains, {}), remedy),
    members: Object.keys(members?.({}) ?? {}),
  }
}

/** An error for the caller, thrown anywhere and caught in `http/refused.ts`. Clients compare its message. */
export class Refusal extends Error {
  readonly refusal: RefusalName
  readonly entry: Entry<object>
  readonly facts: object
  /** All mistakes of the request, this one first; null if there is only one. */
  all: readonly Refusal[] | null = null
  constructor(...[name, facts]: NamedRefusal) {
    const { [name]: is } = refusalCatalogue as Record<RefusalName, Entry<object>>
    super(fit(textOf(is.message, { ...is.defaults, ...facts })!))
    this.refusal = name
    this.entry = is
    this.facts = facts
  }

  /** The field that is at fault, or all such fields, comma-separated; undefined if no field is at fault. */
  get field(): string | undefined {
    const { field, fields } = this.facts as { field?: string | null; fields?: readonly string[] }
    const named = field ?? fields?.join(', ')
    return named === undefined ? undefined : fit(named)
  }

  /** The fault in the service's own words, where the message does not name the fault. */
  get why(): string | undefined {
    const why = textOf(this.entry.explains, this.facts)
    return why === undefined ? undefined : fit(why)
  }

  /** The fault and its remedy, in sentences. */
  get help(): string {
    const { help = this.entry.remedy } = this.facts as { help?: string }
    return sentences(this.why, fit(help))
  }

  private others(): { errors?: Record<string, unknown>[] } {
    if (this.all === null) return {}
    return { errors: this.all.map(({ field = null, entry: { code }, message, help }) => ({ field, code, message, help })) }
  }

  /** Absent members are left out, never null. Some of the ecosystem's clients read `error_type`, others `type`. */
  body(): { error: Record<string, unknown> } {
    const { type, code, members } = this.entry
    return {
      error: { type, error_type: type, message: this.message, code, help: this.help, ...members?.(this.facts), ...this.others() },
    }
  }
}

/** The most mistakes of one request that are named in an answer. */
const MOST_ERRORS = 20

/** Combines several mistakes of one request into one refusal. The first mistake determines its code and message. */
export function combinedRefusal(all: readonly Refusal[]): Refusal {
  const [first] = all
  if (all.length > 1) first!.all = all.slice(0, MOST_ERRORS)
  return first!
}

/**
 * Returns an error to be thrown: the refusal together with the request's other mistakes. The independent checks run
 * only after one has refused, so a valid request does not pay for them.
 */
export function withOthers(error: unknown, checks: readonly (() => unknown)[]): unknown {
  if (!(error instanceof Refusal)) return error
  const found = new Map<string, Refusal>()
  const add = (refusal: Refusal) => {
    for (const one of refusal.all ?? [refusal]) {
      const name = `${one.field} ${one.message} ${one.why}`
      if (!found.has(name)) found.set(name, one)
    }
  }
  add(error)
  for (const check of checks) {
    try {
      check()
    } catch (other) {
      // An error that is not a refusal is a consequence of a mistake already found, and is ignored.
      if (other instanceof Refusal) add(other)
    }
  }
  return combinedRefusal([...found.values()])
}

/** Runs independent checks in turn. Throws one refusal with the mistakes that all of them find. */
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

/** Throws a refusal from the catalogue. Never returns. */
export function refuse<N extends RefusalName>(name: N, ...facts: object extends FactsOf<N> ? [] : [FactsOf<N>]): never {
  throw new Refusal(...([name, facts[0] ?? {}] as NamedRefusal))
}
