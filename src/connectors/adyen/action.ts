import type { Time } from '../../context.ts'
import { codeImage } from '../kit/qr.ts'
import { isRecord, optional, parseTime, readTexts, readUrl, tableOf } from '../kit/read.ts'
import type { ProcessorAction } from '../next-action.ts'
import { readStep } from './three-ds.ts'

type Action = Record<string, unknown>

const LONGEST_URL = 4096
const LONGEST_TEXT = 2048
const isText = (value: unknown): value is string => typeof value === 'string' && value.length > 0 && value.length <= LONGEST_TEXT
const readText = (value: unknown): string | null => (isText(value) ? value : null)

/** Reads a time. Adyen writes times without a time zone: they are read as UTC. */
function readTime(value: unknown): Time | null {
  if (typeof value !== 'string') return null
  const whole = /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00` : value
  return parseTime(/(?:Z|[+-]\d\d:?\d\d)$/.test(whole) ? whole : `${whole}Z`)
}

/** Null if one of the texts is missing, not a text, or not a valid URL. */
function textsOf(action: Action, names: Readonly<Record<string, string>>): Record<string, string> | null {
  const read = Object.entries(names).map(
    ([ours, member]) => [ours, optional(action[member], ours.endsWith('_url') ? readUrl : readText)] as const,
  )
  if (read.some(([, text]) => text === undefined)) return null
  return Object.fromEntries(read.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

function redirect({ url, method, data }: Action): ProcessorAction | null {
  const address = readUrl(url, LONGEST_URL)
  const form = readTexts(data)
  if (address === null || form === null) return null
  if (method === 'POST') return { type: 'redirect_to_url', url: address, form }
  return method === undefined || method === 'GET' ? { type: 'redirect_to_url', url: address } : null
}

/** Null: invalid. Kinds that only Adyen's own library can carry out are not listed. */
const kinds = tableOf<(action: Action) => ProcessorAction | null>({
  redirect,
  nativeRedirect: redirect,
  threeDS2: readStep,
  /** Some QR codes come only as the URL of the page that shows them. */
  qrCode(action) {
    const { qrCodeData, url } = action
    const until = optional(action.expiresAt, readTime)
    if (until === undefined) return null
    if (qrCodeData === undefined) return redirect({ url })
    const image = isText(qrCodeData) ? codeImage(qrCodeData) : null
    return image === null ? null : { type: 'qr_code_information', data: qrCodeData as string, image, until, text: null }
  },
  await: () => ({ type: 'wait_screen_information', until: null }),
  voucher(action) {
    const until = optional(action.expiresAt, readTime)
    const method = isText(action.paymentMethodType) ? action.paymentMethodType : ''
    if (until === undefined) return null
    const transfer = transfers.find(({ of }) => of.test(method))
    if (transfer) return transferTo(transfer, action)
    const parts = textsOf(action, { reference: 'reference', download_url: 'downloadUrl', instructions_url: 'instructionsUrl' })
    return parts && Object.keys(parts).length > 0 ? { type: 'display_voucher_information', parts, until } : null
  },
  bankTransfer(action) {
    const method = isText(action.paymentMethodType) ? action.paymentMethodType : ''
    const transfer = transfers.find(({ of }) => of.test(method))
    return transfer ? transferTo(transfer, action) : null
  },
})

/** `of`: Adyen's names of the payment method; `to`: our kind of instructions; `parts`: members of Adyen's action. */
type Transfer = { of: RegExp; to: string; parts: Readonly<Record<string, string>>; needs: string }
const transfers: readonly Transfer[] = [
  { of: /^multibanco$/, to: 'multibanco', parts: { reference: 'reference', entity: 'entity' }, needs: 'reference' },
  {
    of: /^bankTransfer_IBAN$/,
    to: 'sepa_bank_instructions',
    parts: { account_holder_name: 'beneficiary', bic: 'bic', iban: 'iban', reference: 'reference' },
    needs: 'iban',
  },
  {
    of: /^doku_(?:\w+_va|permata_lite_atm)$/,
    to: 'doku_bank_transfer_instructions',
    parts: { reference: 'reference', expires_at: 'expiresAt', instructions_url: 'instructionsUrl' },
    needs: 'reference',
  },
]

function transferTo({ to, parts, needs }: Transfer, action: Action): ProcessorAction | null {
  const texts = textsOf(action, parts)
  if (texts?.[needs] === undefined) return null
  const of = to === 'sepa_bank_instructions' ? { ...texts, country: texts[needs].slice(0, 2) } : texts
  return { type: 'display_bank_transfer_information', to: { [to]: of }, remaining: null }
}

export const readShopperAction = (action: unknown): ProcessorAction | null =>
  isRecord(action) && typeof action.type === 'string' ? (kinds[action.type]?.(action) ?? null) : null
