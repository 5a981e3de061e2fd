import type { Time } from '../../context.ts'
import { isAmount, isRecord, parseTime, readUrl, tableOf } from '../kit/read.ts'
import type { NextAction } from '../next-action.ts'

/** Phonypay's next actions for customers in our vocabulary, except following `redirect_url`. */

type ActionBody = Record<string, unknown>
const IMAGE = /^data:image\/png;base64,[A-Za-z0-9+/=]{1,8000}$/

const isText = (value: unknown): value is string => typeof value === 'string' && value.length > 0 && value.length <= 2048
/** The reader for each type of action; null: the action is invalid. */
const actions = tableOf<(body: ActionBody, from: Time, until: Time) => NextAction | null>({
  window: body => {
    const url = readUrl(body.url)
    return url ? { type: 'redirect_inside_popup', url } : null
  },
  code: ({ data, image }, _from, until) =>
    isText(data) && typeof image === 'string' && IMAGE.test(image) ? { type: 'qr_code_information', data, image, until, text: null } : null,
  code_image: body => {
    const url = readUrl(body.url)
    return url ? { type: 'fetch_qr_code_information', url } : null
  },
  transfer: ({ to, remaining }) => {
    const [[name, parts] = [], ...more] = isRecord(to) ? Object.entries(to) : []
    if (name === undefined || more.length > 0 || !isRecord(parts) || !Object.values(parts).every(isText)) return null
    if (!transfers.includes(name) || !(typeof remaining === 'number' && Number.isSafeInteger(remaining))) return null
    return { type: 'display_bank_transfer_information', to: { [name]: parts as Record<string, string> }, remaining }
  },
  slip: ({ reference, instructions_url, digitable_line, barcode }, made, until) => {
    const url = readUrl(instructions_url)
    if (!isText(reference) || !url || !isText(digitable_line) || !isText(barcode)) return null
    return { type: 'display_voucher_information', parts: { reference, instructions_url: url, digitable_line, barcode }, made, until }
  },
  otp: () => ({ type: 'collect_otp', consent: 'consent_required' }),
  ddc: ({ url, timeout_ms }) => {
    const frame = readUrl(url)
    return frame && isAmount(timeout_ms) ? { type: 'invoke_ddc', url: frame, timeout_ms } : null
  },
  iframe: ({ url, data }) => {
    const frame = readUrl(url)
    return frame && isText(data) ? { type: 'invoke_hidden_iframe', url: frame, data } : null
  },
  wait: (_, from, until) => ({ type: 'wait_screen_information', from, until }),
  app: ({ uri }, from, until) => (isApp(uri) ? { type: 'invoke_upi_intent_sdk', uri, from, until } : null),
  app_code: ({ uri }, from, until) => (isApp(uri) ? { type: 'invoke_upi_qr_flow', uri, from, until } : null),
  session: ({ token }) =>
    isText(token)
      ? { type: 'third_party_sdk_session_token', session: { wallet_name: 'open_banking', open_banking_session_token: token } }
      : null,
})

const transfers = [
  'ach_credit_transfer',
  'sepa_bank_instructions',
  'bacs_bank_instructions',
  'multibanco',
  'doku_bank_transfer_instructions',
]
const isApp = (uri: unknown): uri is string => isText(uri) && uri.startsWith('upi://')

/** Reads an action. Null: the action is unknown or invalid. */
export function readAction(body: unknown): NextAction | null {
  if (!isRecord(body) || typeof body.type !== 'string') return null
  const [from, until] = [parseTime(body.since), parseTime(body.expires_at)]
  if (from === null || until === null) return null
  return actions[body.type]?.(body, from, until) ?? null
}
