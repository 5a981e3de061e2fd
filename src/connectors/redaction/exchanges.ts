import { Secret } from '../../base/secret.ts'
import type { Exchanged } from '../../context.ts'
import { BLANK, type Clean, cleaner } from './secrets.ts'

/**
 * Redacts a request to a processor and its reply so that they may be kept: without keys, payment methods and personal
 * data. Only the members listed here are shown; a member that a processor adds tomorrow is blanked until it is listed.
 * In shown values, known secrets in every spelling and card numbers are blanked too.
 */

/** UTF-16 units: request and response together are 32 kB. */
const LONGEST_BODY = 16_000
const LONGEST_READ = 65_536
const MOST_MEMBERS = 1_000

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

const nameOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const shown = words(`
  capture authorized amount minorunits amounttocapture amountcapturable amountreceived amountcaptured amountrefunded amountauthorized authorizedamount capturedamount refundedamount
  currency currencycode status state result resultcode outcome outcometype success approved captured refunded retryable
  code errorcode statuscode responsecode reasoncode declinecode networkdeclinecode networkadvicecode advicecode refusalreason refusalreasoncode networkstatus
  error errortype errormessage message reason detail failurecode failuremessage failurereason
  type object event eventtype operationtype id requestid transactionid paymentid chargeid refundid captureid operationid orderid payoutid disputeid
  pspreference originalreference originalpspreference paymentpspreference merchantreference reference externalid externalreference paymentintent charge refund payment operation
  latestcharge balancetransaction merchantaccount capturemethod confirm offsession livemode created createdat updatedat completedat timestamp version total hasmore
`)

/** Nothing is shown in payment methods, personal data, and credentials or links that give access. */
const closed =
  /card|instrument|source|method|means|wallet|bank|iban|recipient|beneficiary|customer|shopper|payer|buyer|consumer|person|owner|holder|name|billing|shipping|delivery|address|contact|email|phone|browser|device|token|credential|auth(?!orized|orization$|orizationid)|secret|password|security|cvc|cvv|threeds|3ds|mandate|fingerprint|action|url|link/

const opened = words('capturemethod merchantaccount networkdeclinecode authorizedamount amountauthorized')

const shownHeaders =
  words(`accept content-type content-length idempotency-key cko-idempotency-key paypal-request-id paypal-debug-id request-id x-request-id x-correlation-id retry-after server
  stripe-version stripe-should-retry idempotent-replayed pspreference x-ratelimit-remaining`)

type Body = unknown

export type Redacted = {
  method: string
  url: string
  headers: Record<string, string>
  body: Body
  is: 'reply' | 'not_sent' | 'silence'
  why: string | null
  status: number | null
  answer_headers: Record<string, string> | null
  answer_body: Body
  total_ms: number
}

/** `hidden`: all data known to be confidential, in any structure. */
export function redactedExchange({ request, reply, ms }: Exchanged, hidden: unknown): Redacted {
  const clean = cleaner(secretsIn(hidden))
  const isReply = reply.is === 'reply'
  return {
    method: request.method,
    url: urlOf(request.url, clean),
    headers: headersOf(request.headers, clean),
    body: bodyOf(request.body ?? (request.bytes ? request.bytes.toString('latin1') : ''), clean),
    is: reply.is,
    why: isReply ? null : clean(reply.why),
    status: isReply ? reply.status : null,
    answer_headers: isReply ? headersOf(reply.headers, clean) : null,
    answer_body: isReply ? bodyOf(reply.body, clean) : null,
    total_ms: ms,
  }
}

/** Confidential though no `Secret`: personal data, and the ids under which processors save an instrument. */
const confidential = words('holder customer reference network_transaction_id tax_id bank_code bic')

function secretsIn(value: unknown): (Secret | string)[] {
  if (value instanceof Secret) return [value]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, one]) => (typeof one === 'string' ? (confidential.has(name) ? [one] : []) : secretsIn(one)))
}

function urlOf(url: string, clean: Clean): string {
  const at = url.indexOf('?')
  if (at < 0) return clean(url)
  const query = [...new URLSearchParams(url.slice(at + 1))].map(
    ([name, value]) => `${clean(name)}=${scalar(within(top, name), value, clean)}`,
  )
  return `${clean(url.slice(0, at))}?${query.join('&')}`
}

const headersOf = (headers: Readonly<Record<string, string>>, clean: Clean): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [clean(name), shownHeaders.has(name.toLowerCase()) ? clean(String(value)) : BLANK]),
  )

/** A body that is neither JSON nor a form is replaced by its length. */
function bodyOf(text: string, clean: Clean): Body {
  if (text === '') return null
  if (text.length > LONGEST_READ) return `[${text.length} characters]`
  const redacted = jsonOf(text, clean) ?? formOf(text, clean)
  if (redacted === null) return `[${text.length} characters that are neither JSON nor a form]`
  const size = JSON.stringify(redacted).length
  return size <= LONGEST_BODY ? redacted : `${JSON.stringify(redacted).slice(0, LONGEST_BODY)}… [${size} characters]`
}

function jsonOf(text: string, clean: Clean): Body {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? redactedValue(top, value, clean, { left: MOST_MEMBERS }) : BLANK
  } catch {
    return null
  }
}

function formOf(text: string, clean: Clean): Body {
  if (!/^[\w.[\]%-]{1,200}=/.test(text) || /[\s<>{}]/.test(text)) return null
  return Object.fromEntries(
    [...new URLSearchParams(text)].slice(0, MOST_MEMBERS).map(([name, value]) => [
      clean(name),
      scalar(
        name
          .split(/[[\].]+/)
          .filter(Boolean)
          .reduce(within, top),
        value,
        clean,
      ),
    ]),
  )
}

const MOST_LEVELS = 12

/** `isClosed`: in, or itself, a member of which nothing is shown. */
type Place = { name: string; isClosed: boolean; isShown: boolean; levels: number }

const top: Place = { name: '', isClosed: false, isShown: false, levels: 0 }

type Named = { name: string; isClosed: boolean; isShown: boolean }

const REMEMBERED = 5_000
/** Names are the same in every body. Names with digits are not stored, because a number may be confidential. */
const names = new Map<string, Named>()

function named(member: string): Named {
  const known = names.get(member)
  if (known) return known
  const name = nameOf(member)
  const made = { name, isClosed: !opened.has(name) && closed.test(name), isShown: shown.has(name) }
  if (member.length <= 64 && !/\d/.test(member)) {
    if (names.size >= REMEMBERED) names.clear()
    names.set(member, made)
  }
  return made
}

function within(place: Place, member: string): Place {
  const { name, isClosed, isShown } = named(member)
  return {
    name,
    isClosed: place.isClosed || isClosed,
    // An amount is often an object with its own `value`; the processor is queried by our request id.
    isShown: isShown || (name === 'value' && place.name.includes('amount')) || (name === 'requestid' && place.name === 'metadata'),
    levels: place.levels + 1,
  }
}

function redactedValue(place: Place, value: unknown, clean: Clean, members: { left: number }): unknown {
  if (--members.left < 0 || place.levels > MOST_LEVELS) return BLANK
  if (typeof value !== 'object' || value === null) return scalar(place, value, clean)
  // The indexes of a list are no names.
  if (Array.isArray(value)) return value.slice(0, 100).map(one => redactedValue(place, one, clean, members))
  const entries = Object.entries(value).slice(0, members.left)
  return Object.fromEntries(entries.map(([name, one]) => [clean(name), redactedValue(within(place, name), one, clean, members)]))
}

function scalar<T>({ isClosed, isShown }: Place, value: T, clean: Clean): T | string {
  if (value === null || typeof value === 'boolean') return value
  if (isClosed || !isShown) return BLANK
  const text = String(value)
  const kept = clean(text)
  return typeof value === 'string' || kept !== text ? kept : value
}
