import type { Currency } from '../../base/currencies.ts'
import type { Time } from '../../context.ts'
import { uncounted } from '../counting.ts'
import { isAmount, isRecord, readUrl, tableOf } from '../kit/read.ts'
import type { NextAction } from '../next-action.ts'
import { counting } from './common.ts'

/** docs.stripe.com/api/payment_intents/object, next_action. Null: not understood; the payment is polled. */

type ActionBody = Record<string, unknown>
/** `store`: the convenience store at which the payment is paid. */
type About = { made: Time; currency: Currency; store: string | undefined }

/** Seconds since 1970. */
export const secondsToTime = (seconds: unknown): Time | null =>
  typeof seconds === 'number' && seconds > 0 && seconds < 32_503_680_000 ? new Date(seconds * 1000).toISOString() : null

const isText = (value: unknown): value is string => typeof value === 'string' && value.length > 0 && value.length <= 2048

const textsOf = <Names extends string>(texts: { [Name in Names]: unknown }): { [Name in Names]?: string } =>
  Object.fromEntries(Object.entries(texts).filter(([, value]) => isText(value))) as { [Name in Names]?: string }

function goTo(address: unknown): NextAction | null {
  const url = readUrl(address)
  return url ? { type: 'redirect_to_url', url } : null
}

function scan(data: unknown, picture: unknown, until: unknown): NextAction | null {
  const image = readUrl(picture)
  return isText(data) && image ? { type: 'qr_code_information', data, image, until: secondsToTime(until), text: null } : null
}

/** Paid in cash, or at a bank. */
function slip(parts: { [name: string]: unknown }, until: unknown, { made }: About): NextAction | null {
  const texts = textsOf(parts)
  return 'reference' in texts || 'instructions_url' in texts
    ? { type: 'display_voucher_information', parts: texts, made, until: secondsToTime(until) }
    : null
}

/** docs.stripe.com/payments/blik. */
const BLIK_MS = 60_000

const inner = (body: ActionBody, name: string): ActionBody => (isRecord(body[name]) ? body[name] : {})

const actions = tableOf<(body: ActionBody, about: About) => NextAction | null>({
  redirect_to_url: ({ url }) => goTo(url),
  alipay_handle_redirect: ({ url }) => goTo(url),
  // Stripe does not give the content of this code: the customer scans the code on Stripe's page.
  upi_handle_redirect_or_display_qr_code: ({ hosted_instructions_url: url }) => goTo(url),
  // The customer does this days later, once two small amounts, or one with a code, have arrived at the account.
  verify_with_microdeposits: ({ hosted_verification_url: url }) => goTo(url),
  blik_authorize: (_, { made }) => ({
    type: 'wait_screen_information',
    from: made,
    until: new Date(Date.parse(made) + BLIK_MS).toISOString(),
  }),
  card_await_notification: ({ charge_attempt_at }, { made }) => ({
    type: 'wait_screen_information',
    from: made,
    until: secondsToTime(charge_attempt_at),
  }),
  cashapp_handle_redirect_or_display_qr_code: body => {
    const { image_url_png, expires_at } = inner(body, 'qr_code')
    return scan(body.mobile_auth_url, image_url_png, expires_at)
  },
  swish_handle_redirect_or_display_qr_code: body => {
    const { data, image_url_png } = inner(body, 'qr_code')
    return scan(data, image_url_png, null)
  },
  wechat_pay_display_qr_code: ({ data, image_url_png }) => scan(data, image_url_png, null),
  promptpay_display_qr_code: ({ data, image_url_png }) => scan(data, image_url_png, null),
  pix_display_qr_code: ({ data, image_url_png, expires_at }) => scan(data, image_url_png, expires_at),
  klarna_display_qr_code: ({ data, image_url_png, expires_at }) => scan(data, image_url_png, expires_at),
  boleto_display_details: ({ number, pdf, hosted_voucher_url, expires_at }, about) =>
    slip({ reference: number, digitable_line: number, download_url: pdf, instructions_url: hosted_voucher_url }, expires_at, about),
  oxxo_display_details: ({ number, hosted_voucher_url, expires_after }, about) =>
    slip({ reference: number, instructions_url: hosted_voucher_url }, expires_after, about),
  konbini_display_details: (body, about) => {
    const { payment_code } = inner(inner(body, 'stores'), about.store ?? '')
    return slip({ reference: payment_code, instructions_url: body.hosted_voucher_url }, body.expires_at, about)
  },
  multibanco_display_details: ({ entity, reference }) =>
    isText(entity) && isText(reference)
      ? { type: 'display_bank_transfer_information', to: { multibanco: { entity, reference } }, remaining: null }
      : null,
  display_bank_transfer_instructions: (body, about) => transfer(body, about),
})

const accounts = {
  iban: ({ account_holder_name, bic, country, iban }: ActionBody, reference: unknown) => ({
    sepa_bank_instructions: textsOf({ account_holder_name, bic, country, iban, reference }),
  }),
  sort_code: ({ account_holder_name, account_number, sort_code }: ActionBody) => ({
    bacs_bank_instructions: textsOf({ account_holder_name, account_number, sort_code }),
  }),
  aba: ({ account_number, bank_name, routing_number }: ActionBody) => ({
    ach_credit_transfer: textsOf({ account_number, bank_name, routing_number }),
  }),
}

function transfer({ financial_addresses, amount_remaining, reference }: ActionBody, { currency }: About): NextAction | null {
  const all = Array.isArray(financial_addresses) ? financial_addresses.filter(isRecord) : []
  for (const [type, show] of Object.entries(accounts)) {
    const address = all.find(one => one.type === type)
    if (!address) continue
    const remaining = isAmount(amount_remaining) ? (uncounted(counting, amount_remaining, currency)?.amount ?? null) : null
    return { type: 'display_bank_transfer_information', to: show(inner(address, type), reference), remaining }
  }
  return null
}

export function readNextAction(action: unknown, about: About): NextAction | null {
  if (!isRecord(action) || typeof action.type !== 'string') return null
  const body = action[action.type]
  return isRecord(body) ? (actions[action.type]?.(body, about) ?? null) : null
}
