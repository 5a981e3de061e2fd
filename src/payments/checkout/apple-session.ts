import { APPLE_PAY, type AppleShop } from '../../accounts/apple-shop.ts'
import type { Context, Reply } from '../../context.ts'

/** The time limit for Apple's answer: the checkout page waits for it, and has other wallets. */
const WITHIN_MS = 5_000
/** The maximum size of a session in bytes. Real sessions have some 6 kB. */
const LARGEST = 65_536

/**
 * Requests a merchant session from Apple: the proof, for the customer's browser, that this shop's pages may request
 * payments. It is for one payment and lasts minutes, so it is not stored. Names are written as the ecosystem writes
 * them (`merchantSessionIdentifier` is `merchant_session_identifier`). Returns null without a session: the log says
 * why.
 */
export async function appleSession(
  context: Pick<Context, 'send' | 'log'>,
  owner: { merchant_id: string; merchant_connector_id: string },
  { gateway, merchant_identifier, display_name, domain, certificate, key }: AppleShop,
): Promise<Record<string, unknown> | null> {
  const asked = { merchantIdentifier: merchant_identifier, displayName: display_name, initiative: 'web', initiativeContext: domain }
  const reply = await context.send(
    {
      method: 'POST',
      url: `${gateway}/paymentservices/paymentSession`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(asked),
      identity: { certificate, key },
      within_ms: WITHIN_MS,
    },
    // Apple has a queue of its own: waiting for Apple does not delay requests to the processor.
    { merchant_id: owner.merchant_id, merchant_connector_id: APPLE_PAY, purpose: 'ask' },
  )
  const session = sessionIn(reply)
  if (session === null) context.log.warn({ ...owner, domain, why: whyNone(reply) }, 'Apple returned no merchant session')
  return session
}

function sessionIn(reply: Reply): Record<string, unknown> | null {
  if (reply.is !== 'reply' || reply.status !== 200 || reply.body.length > LARGEST) return null
  const session = objectIn(reply.body)
  if (typeof session?.merchantSessionIdentifier !== 'string' || typeof session.signature !== 'string') return null
  return Object.fromEntries(Object.entries(session).map(([name, value]) => [snakeCase(name), value]))
}

/** Apple gives its reason in `statusMessage`: a domain that is not verified, a certificate of another merchant. */
function whyNone(reply: Reply): string {
  if (reply.is !== 'reply') return reply.why
  const message = objectIn(reply.body)?.statusMessage
  return `${reply.status} ${typeof message === 'string' ? message.slice(0, 200) : 'without a session'}`
}

function objectIn(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
