import { refuse } from '../base/refusal.ts'
import { maskedCredential } from '../show/account.ts'
import { has, type Who } from './credentials.ts'
import type { Confidential, Endpoint, Result } from './endpoint.ts'
import { roleHoldsFor } from './profile-header.ts'

/** For a person without `customers:personal`: names, addresses and the like are cut to their first character. */

const personal: ReadonlySet<string> = new Set([
  ...['email', 'customer_email', 'customer_name', 'first_name', 'last_name', 'line1', 'line2', 'line3', 'zip'],
  ...['phone', 'customer_phone', 'phone_number', 'card_holder_name', 'account_holder_name', 'tax_registration_id', 'date_of_birth'],
  ...['nick_name', 'user_agent', 'ip_address', 'bank_account_holder_name'],
  // Texts of evidence.
  ...['access_activity_log', 'billing_address', 'customer_email_address', 'customer_purchase_ip', 'shipping_address'],
])

/** Members that are personal data only beside one of these other members. */
const besides: Readonly<Record<string, readonly string[]>> = {
  name: ['email', 'customer_id', 'phone'],
  city: ['line1', 'zip'],
  state: ['line1', 'zip'],
  number: ['country_code'],
}

const cut = (text: string): string => `${[...text][0] ?? ''}•••`

const isPersonal = (name: string, of: object): boolean => personal.has(name) || (besides[name]?.some(one => one in of) ?? false)

function mask(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mask)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      typeof inner === 'string' && inner !== '' && isPersonal(name, value) ? cut(inner) : mask(inner),
    ]),
  )
}

/** Masks each event of an event stream. */
async function* maskStream(parts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const part of parts)
    yield part.replace(/^data: (.*)$/gm, (_, data: string) => `data: ${JSON.stringify(mask(JSON.parse(data)))}`)
}

/** The key that signs webhooks and answers: whole for a caller who may change it, for others only its ends. */
const SIGNING_KEY = 'payment_response_hash_key'

function hideKey(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideKey)
  if (value === null || typeof value !== 'object') return value
  const key = (value as Record<string, unknown>)[SIGNING_KEY]
  return typeof key === 'string' ? { ...value, [SIGNING_KEY]: maskedCredential(key) } : value
}

type Shown = { json(value: unknown): unknown; result(result: Result): Result }
const whole: Shown = { json: value => value, result: result => result }

const jsonBy = (show: (value: unknown) => unknown): Shown => ({
  json: value => show(JSON.parse(JSON.stringify(value))),
  result: result => ('json' in result ? { ...result, json: show(JSON.parse(JSON.stringify(result.json))) } : result),
})
const personalMasked: Shown = {
  ...jsonBy(mask),
  result: result => ('stream' in result ? { ...result, stream: maskStream(result.stream) } : jsonBy(mask).result(result)),
}
const keyMasked = jsonBy(hideKey)

/** For each kind of confidential data, how its answers are shown to a caller. */
const views: Readonly<Record<Confidential, (who: Who) => Shown>> = {
  'personal data': who => (has(who, 'customers:personal') ? whole : personalMasked),
  'signing key': who => (has(who, 'profiles:write') ? whole : keyMasked),
  // Hidden from people whose role holds for some of the merchant's profiles only.
  'signing key of merchant': who => (has(who, 'profiles:write') && roleHoldsFor(who) === null ? whole : keyMasked),
  nothing: () => whole,
}

/** Returns the functions that show an operation's answer, or a repeated answer, as its caller may see it. */
export const shownTo = (who: Who, confidential: Confidential): Shown => views[confidential](who)

/** Refuses (IR_22) webhooks by a caller who may not see customers' personal data: they carry all of it. */
export function checkWebhookAddress(
  { webhookAddress }: Pick<Endpoint, 'webhookAddress'>,
  body: Record<string, unknown>,
  caller: Who,
): void {
  if (webhookAddress === undefined || has(caller, 'customers:personal') || webhookAddress(body) === undefined) return
  refuse('forbidden', {
    problem: 'An address for webhooks receives customers’ personal data: to choose it also requires customers:personal',
    help: 'Ask an owner or admin of the merchant to enter the address',
  })
}
