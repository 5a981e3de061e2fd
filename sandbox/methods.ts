// Payment methods other than cards: the action of the shopper, and the result.

import { type Behaviour, behaviourOf, type CardName, cards } from './cards.ts'
import { iso } from './context.ts'
import { codeUrl } from './qr.ts'
import type { Action, Course, Method, Operation, Payment } from './records.ts'

/** The course of a payment in each family of methods, and the methods that differ from it. */
/** How long an app asks for the customer's confirmation, in milliseconds: as long as BLIK's. */
const APP_MS = 120_000

const courses: Record<string, { usual: Course; but?: Record<string, Course> }> = {
  card_redirect: { usual: 'redirect' },
  pay_later: { usual: 'redirect', but: { klarna_sdk: 'at once', breadpay_redirect: 'window' } },
  wallet: {
    usual: 'redirect',
    but: {
      ...Object.fromEntries(
        [
          'apple_pay',
          'apple_pay_decrypted',
          'google_pay',
          'google_pay_decrypted',
          'samsung_pay',
          'paypal_sdk',
          'venmo_sdk',
          'paze',
          'amazon_pay',
          'apple_pay_third_party_sdk',
          'google_pay_third_party_sdk',
        ].map(way => [way, 'at once']),
      ),
      ...Object.fromEntries(['ali_pay_qr', 'cashapp_qr', 'swish_qr', 'we_chat_pay_qr'].map(way => [way, 'code'])),
    },
  },
  bank_redirect: { usual: 'redirect', but: { blik: 'wait', open_banking: 'session' } },
  bank_transfer: {
    usual: 'transfer',
    but: {
      pix: 'code',
      pix_qr: 'code',
      pix_emv: 'code',
      pix_automatico_qr: 'code',
      pix_automatico_push: 'wait',
      pse: 'redirect',
      local_bank_transfer: 'redirect',
      instant_bank_transfer: 'redirect',
      instant_bank_transfer_finland: 'redirect',
      instant_bank_transfer_poland: 'redirect',
    },
  },
  bank_debit: { usual: 'later' },
  crypto: { usual: 'redirect' },
  upi: { usual: 'wait', but: { upi_intent: 'app', upi_qr: 'app_code' } },
  voucher: { usual: 'slip' },
  gift_card: { usual: 'at once', but: { pay_safe_card: 'redirect' } },
  reward: { usual: 'redirect' },
  real_time_payment: { usual: 'code', but: { viet_qr: 'code_image' } },
  open_banking: { usual: 'session' },
  mobile_payment: { usual: 'wait' },
  network_token: { usual: 'at once' },
}
export const families = Object.keys(courses)

export const courseOf = ({ family, way, otp, course }: Method): Course =>
  course ?? (otp ? 'otp' : (courses[family]!.but?.[way] ?? courses[family]!.usual))

const minute = 60_000
const lives: Partial<Record<Action, number>> = { transfer: 3 * 24 * 60 * minute, slip: 3 * 24 * 60 * minute }
/** Returns how long the shopper may take for an action, in milliseconds. */
export const lifeOf = (action: Action): number => lives[action] ?? 10 * 60 * minute

/** A payment by a card that the shopper enters at the processor's page. */
export const onPage: { method: Method; card: { name: CardName; masked: string; cvc: 'missing'; expires: string } } = {
  method: { family: 'card_redirect', way: 'card_redirect' },
  card: { name: 'approved', masked: 'card_redirect', cvc: 'missing', expires: '9999-12' },
}

/**
 * Cards by the last four digits of their numbers. Accounts, tokens and numbers with the same ending behave as the card
 * does.
 */
const byEnding = new Map<string, CardName>()
for (const [name, { numbers, does }] of Object.entries(cards)) {
  const { challenge, ...rest }: Behaviour = does
  if (challenge === undefined && Object.keys(rest).length > 0)
    for (const number of numbers) byEnding.set(number.slice(-4), name as CardName)
}
const SHORTEST = 6

/** Returns the card as which a payment method with these details behaves. */
export function doneAs(details: Record<string, string>): CardName {
  if (details.vpa_id === 'failure@upi') return 'declined'
  for (const value of Object.values(details)) {
    const name = value.length >= SHORTEST ? byEnding.get(value.slice(-4)) : undefined
    if (name) return name
  }
  return 'approved'
}

/** Returns the verdict after one minute: as the details determine, otherwise approved. */
export const laterOf = (payment: Payment) => behaviourOf(payment.card).later?.authorize ?? behaviourOf(payment.card).authorize ?? 'approved'

/** Returns the instructions for a bank transfer, in the terms of the country. */
function transferOf(way: string, { id, due_at }: Operation, page: string): object {
  const reference = id.slice(-12).toUpperCase()
  const account = { account_holder_name: 'Sandbox Bank', reference }
  switch (way) {
    case 'ach_bank_transfer':
      return {
        ach_credit_transfer: {
          account_number: '000123456789',
          bank_name: 'Sandbox Bank',
          routing_number: '110000000',
          swift_code: 'SANDUS33',
        },
      }
    case 'bacs_bank_transfer':
      return { bacs_bank_instructions: { ...account, account_number: '00012345', sort_code: '108800' } }
    case 'sepa_bank_transfer':
      return { sepa_bank_instructions: { ...account, bic: 'SANDDEFF', country: 'DE', iban: 'DE89370400440532013000' } }
    case 'multibanco_bank_transfer':
      return { multibanco: { reference, entity: '12345' } }
    default:
      return { doku_bank_transfer_instructions: { expires_at: iso(due_at!), reference, instructions_url: page } }
  }
}

/** Shows the merchant the action that the shopper must take; null where the shopper only follows `redirect_url`. */
export function showAction({ method }: Payment, operation: Operation, page: string): object | null {
  const { id, amount, currency, challenge, due_at, created_at } = operation
  const action = challenge?.action
  if (!action || action === 'redirect' || operation.status !== 'challenge') return null
  // An app asks for at most two minutes, though the payment stays open.
  const expires_at = iso(action === 'wait' ? Math.min(due_at!, Date.parse(created_at) + APP_MS) : due_at!)
  const common = { type: action, expires_at, since: created_at }
  const app = `upi://pay?${new URLSearchParams({ pa: 'sandbox@upi', tr: id, am: String(amount), cu: currency })}`
  switch (action) {
    case 'window':
      return { ...common, url: page }
    case 'code':
      return { ...common, data: page, image: codeUrl(page) }
    case 'code_image':
      return { ...common, url: `${page}/code` }
    case 'transfer':
      return { ...common, to: transferOf(method!.way, operation, page), remaining: amount }
    case 'slip':
      return {
        ...common,
        reference: id.slice(-12).toUpperCase(),
        instructions_url: page,
        digitable_line: digitsOf(id, 47),
        barcode: digitsOf(id, 44),
      }
    case 'wait':
    case 'otp':
      return common
    case 'ddc':
      return { ...common, url: `${page}/collect`, timeout_ms: 8000 }
    case 'iframe':
      return { ...common, url: `${page}/collect`, data: Buffer.from(JSON.stringify({ threeDSServerTransID: id })).toString('base64url') }
    case 'app':
    case 'app_code':
      return { ...common, uri: app }
    case 'session':
      return { ...common, token: challenge.token }
  }
}

/** Returns a number of digits derived from an id; one id always gives the same digits. */
function digitsOf(id: string, count: number): string {
  const digits = [...id].map(webhook => webhook.charCodeAt(0) % 10).join('')
  return digits.repeat(Math.ceil(count / digits.length)).slice(0, count)
}
