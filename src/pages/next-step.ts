import type { NextAction } from '../connectors/next-action.ts'
import type { Time } from '../context.ts'
import type { Payment } from '../payments/payment.ts'
import { isBeingAuthenticated } from '../payments/three-ds/external-three-ds.ts'
import { type Html, html } from './html.ts'
import type { Translate, Word } from './page-texts.ts'

/** For a customer who is not redirected: a code to scan, an account, a slip, or an app to confirm in. */

export type Step = {
  heading: Word
  message: Word
  content: Html | null
  /** The source of the step's image: `data:`, or an origin. */
  image?: string
  /** The input or the frame that the page itself provides for the step (`browser/answer.js`). */
  collects?: { otp: true } | { frame: { url: string; fields: Record<string, string> | null; within_ms: number } }
}

type Seen = {
  say: Translate
  locale: string
  /** Whether the page is in a frame of a checkout, and must not navigate away. */
  framed?: boolean
}
type Of<Type extends NextAction['type']> = Extract<NextAction, { type: Type }>

/** The members of transfers and slips that customers must copy, with their labels. */
const names: Readonly<Record<string, Word>> = {
  account_holder_name: 'holder',
  account_number: 'account',
  routing_number: 'routingNumber',
  sort_code: 'sortCode',
  swift_code: 'bic',
  bic: 'bic',
  iban: 'iban',
  bank_name: 'bank',
  country: 'country',
  reference: 'reference',
  entity: 'entity',
  digitable_line: 'slipNumber',
  barcode: 'barcode',
}

const lines = (parts: Readonly<Record<string, string | undefined>>, { say }: Seen): Html | null => {
  const known = Object.entries(parts).filter(([name, value]) => value !== undefined && names[name] !== undefined)
  return known.length === 0
    ? null
    : html`<dl class="facts copied">${known.map(([name, value]) => html`<div><dt>${say(names[name]!)}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** Shows the deadline. The page's script writes it in the time zone of the customer; without it, UTC is named. */
const until = (time: Time | null, { say, locale }: Seen): Html | null =>
  time === null
    ? null
    : html`<p class="small" id="until" data-until="${time}" data-words="${say('payBy', { date: '{date}' })}" data-locale="${locale}">${say('payBy', { date: new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' }).format(new Date(time)) })}</p>`

const link = (address: string | undefined, label: string, { framed = false }: Seen): Html | null =>
  address === undefined
    ? null
    : html`<a class="button" href="${address}" rel="noreferrer" target="${framed ? '_blank' : '_top'}">${label}</a>`

const code = (image: string, { say }: Seen): Html => html`<img class="code" src="${image}" alt="${say('codeToScan')}">`

/** The time limit of the bank's hidden page (EMV 3-D Secure: ten seconds). */
const LONGEST_LOOK_MS = 10_000

const steps: { [Type in NextAction['type']]?: (action: Of<Type>, seen: Seen) => Step } = {
  qr_code_information: ({ data, image, until: end, text }, seen) => ({
    heading: 'scan',
    message: 'scanSays',
    content: html`${code(image, seen)}${text === null ? null : html`<p class="small">${text}</p>`}<p class="copy">${data}</p>${until(end, seen)}`,
    image: image.startsWith('data:') ? 'data:' : new URL(image).origin,
  }),
  fetch_qr_code_information: ({ url }, seen) => ({
    heading: 'scan',
    message: 'scanSays',
    content: code(url, seen),
    image: new URL(url).origin,
  }),
  display_bank_transfer_information: ({ to }, seen) => {
    const [details = {}] = Object.values(to) as Record<string, string>[]
    return {
      heading: 'transfer',
      message: 'transferSays',
      content: html`${lines(details, seen)}${link(details.instructions_url, seen.say('instructions'), seen)}${until(details.expires_at ?? null, seen)}`,
    }
  },
  display_voucher_information: ({ parts, until: end }, seen) => ({
    heading: 'slip',
    message: 'slipSays',
    content: html`${lines(parts, seen)}${link(parts.download_url ?? parts.instructions_url, seen.say('slipOpen'), seen)}${until(end, seen)}`,
  }),
  wait_screen_information: ({ until: end }, seen) => ({ heading: 'inApp', message: 'inAppSays', content: until(end, seen) }),
  invoke_upi_intent_sdk: ({ uri }, seen) => ({ heading: 'inApp', message: 'inAppSays', content: link(uri, seen.say('openApp'), seen) }),
  invoke_upi_qr_flow: ({ uri, until: end }, seen) => ({
    heading: 'inApp',
    message: 'inAppSays',
    content: html`${link(uri, seen.say('openApp'), seen)}${until(end, seen)}`,
  }),
  collect_otp: (_, { say }) => ({
    heading: 'code',
    message: 'codeSays',
    content: html`<form id="code" novalidate><div class="field"><label for="otp">${say('codeLabel')}</label><div class="input"><input id="otp" name="otp" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="8" aria-describedby="otp-error"></div><p id="otp-error" class="error" role="alert" data-form="${say('codeForm')}" data-wrong="${say('codeWrong')}"></p></div><button class="button">${say('codeSend')}</button></form>`,
    collects: { otp: true },
  }),
  invoke_ddc: ({ url, timeout_ms }) => ({
    heading: 'toBank',
    message: 'toBankSays',
    content: null,
    collects: { frame: { url, fields: null, within_ms: timeout_ms } },
  }),
  invoke_hidden_iframe: ({ url, data }) => ({
    heading: 'toBank',
    message: 'toBankSays',
    content: null,
    collects: { frame: { url, fields: { threeDSMethodData: data }, within_ms: LONGEST_LOOK_MS } },
  }),
  three_ds_invoke: () => ({ heading: 'toBank', message: 'toBankSays', content: null }),
}

/** On the page of a payment; null if its next action has a page of its own, or there is none. */
export function stepOf(payment: Payment, seen: Seen): Step | null {
  const action = payment.status === 'requires_customer_action' ? payment.next_action : null
  return action && ((steps[action.type] as ((action: NextAction, seen: Seen) => Step) | undefined)?.(action, seen) ?? null)
}

/** For contact with the customer's issuer (`browser/authenticate.js`); null without a running authentication. */
export const authenticationFor = (payment: Payment, authorize: string) =>
  isBeingAuthenticated(payment) ? { method: (payment.next_action as Of<'three_ds_invoke'>).method, authorize } : null
