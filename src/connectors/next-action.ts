import Type, { type TProperties, type TSchema } from 'typebox'
import { anyText, minor, oneOf, open, orNull } from '../base/shapes.ts'
import type { Time } from '../context.ts'
import type { NativeAuthentication } from './authentication.ts'

/**
 * Our pages for a next action. `start` sends the customer on to the processor; `back` is the page to which the
 * customer returns; `waiting` shows the customer what to do, for checkouts that do not know this kind of action (null:
 * this checkout knows all kinds); `forAll`: whether the checkout leaves to that page every action that the page can
 * show. For an authentication in the checkout, `authenticate` is the URL at which it requests the authentication, and
 * `authorize` the URL to which it sends the customer afterwards.
 */
type Pages = {
  start: string
  back: string
  waiting: string | null
  forAll?: boolean
  authentication: { authenticate: string; authorize: string; poll_id: string; connector: string | null; card_network: string | null }
}

/**
 * A kind of next action. `Given`: the data that a connector gives and the payment stores. `shows`: the schema of the
 * members of the response besides `type`; `show` makes these members. `onward`: the URL to which our page sends the
 * customer, if the kind has one. `waits`: existing checkouts do not know the kind and would show it as a failure
 * although the customer can still pay, so the response sends the customer to a page of ours that shows it. `isShown`:
 * that page can show this kind too, for checkouts that leave all actions to it. `hasNoScreen`: existing checkouts know
 * the kind, but show nothing of these data: the customer would be left with a confirmed payment and no way to pay it.
 */
type Kind<Given> = {
  shows: TProperties
  show(given: Given, pages: Pages): Record<string, unknown>
  onward?(given: Given): string
  waits?: true
  isShown?: true
  hasNoScreen?(given: Given): boolean
}
const kind = <Given extends object>(one: Kind<Given>): Kind<Given> => one

const textOrNull = orNull(anyText)
/** How often a checkout queries the payment while it shows an action. */
const POLL = { delay_in_secs: 5, frequency: 60 }
/** How often a checkout queries the payment during an authentication, which is decided in a moment. */
export const THREE_DS_POLL = { delay_in_secs: 2, frequency: 5 }
const poll = Type.Object({ delay_in_secs: Type.Integer(), frequency: Type.Integer() }, { title: 'PollConfig' })
const moment = (description: string) => Type.Integer({ description })
const uri = (description: string) => Type.String({ format: 'uri', description })

/** The time span in which an action is shown, in nanoseconds since 1970: the unit that existing clients expect. */
const shownFor = {
  shows: {
    display_from_timestamp: moment('Nanoseconds since 1970'),
    display_to_timestamp: orNull(moment('Nanoseconds since 1970')),
    poll_config: poll,
  },
  show: ({ from, until }: { from: Time; until: Time | null }) => ({
    display_from_timestamp: Date.parse(from) * 1e6,
    display_to_timestamp: until === null ? null : Date.parse(until) * 1e6,
    poll_config: POLL,
  }),
}

/** The members of the instructions for a bank transfer, for each country's scheme. */
const instructions = {
  ach_credit_transfer: ['account_number', 'bank_name', 'routing_number', 'swift_code'],
  sepa_bank_instructions: ['account_holder_name', 'bic', 'country', 'iban', 'reference'],
  bacs_bank_instructions: ['account_holder_name', 'account_number', 'sort_code'],
  multibanco: ['reference', 'entity'],
  doku_bank_transfer_instructions: ['expires_at', 'reference', 'instructions_url'],
} as const
type Instructions = keyof typeof instructions
const receiver = Type.Object({ amount_received: minor, amount_charged: orNull(minor), amount_remaining: orNull(minor) })

// biome-ignore format: a list reads better in rows
const voucherParts = [
  'entry_date', 'expires_at', 'expiry_date', 'reference', 'download_url', 'instructions_url', 'digitable_line',
  'barcode', 'qr_code_url', 'raw_qr_data',
] as const
type VoucherParts = Partial<Record<Exclude<(typeof voucherParts)[number], 'expires_at' | 'entry_date' | 'expiry_date'>, string>>

/** The form field of the hidden page of the issuer (EMV 3-D Secure). */
const METHOD_KEY = 'threeDSMethodData'

/** Whether the customer must consent to being charged on their bill. */
const consents = ['consent_required', 'consent_not_required', 'consent_optional'] as const

/** An entry is all that a new kind needs: type, column of the payment, response and schema follow from it. */
export const nextActions = {
  /** `form`: the members that the customer's browser posts to the URL; without it the browser follows a link. */
  redirect_to_url: kind<{ url: string; form?: Readonly<Record<string, string>> }>({
    shows: { redirect_to_url: uri('Redirect the customer to this URL') },
    show: (_, { start }) => ({ redirect_to_url: start }),
    onward: ({ url }) => url,
  }),
  redirect_inside_popup: kind<{ url: string }>({
    shows: {
      popup_url: uri('Open this URL in a new window'),
      redirect_response_url: uri('Redirect the customer to this URL once that window is closed'),
    },
    show: (_, { start, back }) => ({ popup_url: start, redirect_response_url: back }),
    onward: ({ url }) => url,
  }),
  qr_code_information: kind<{ data: string; image: string; until: Time | null; text: string | null }>({
    shows: {
      image_data_url: Type.String({ description: 'QR code to scan, as an image' }),
      display_to_timestamp: orNull(moment('Milliseconds since 1970')),
      qr_code_url: textOrNull,
      display_text: textOrNull,
      border_color: Type.Null(),
      raw_qr_data: Type.String({ description: 'Content of the QR code' }),
    },
    show: ({ data, image, until, text }) => ({
      image_data_url: image,
      display_to_timestamp: until && Date.parse(until),
      qr_code_url: image,
      display_text: text,
      border_color: null,
      raw_qr_data: data,
    }),
    isShown: true,
  }),
  fetch_qr_code_information: kind<{ url: string }>({
    shows: { qr_code_fetch_url: uri('URL of an image of the QR code to scan') },
    show: ({ url }) => ({ qr_code_fetch_url: url }),
    waits: true,
  }),
  display_bank_transfer_information: kind<{ to: { [Name in Instructions]?: Record<string, string> }; remaining: number | null }>({
    shows: {
      bank_transfer_steps_and_charges_details: Type.Union(
        Object.entries(instructions).map(([name, parts]) =>
          Type.Object({ [name]: Type.Object(Object.fromEntries(parts.map(part => [part, textOrNull]))), receiver: orNull(receiver) }),
        ),
        { title: 'BankTransferSteps' },
      ),
    },
    show: ({ to, remaining }) => {
      const [[name, values]] = Object.entries(to) as [[Instructions, Record<string, string>]]
      return {
        bank_transfer_steps_and_charges_details: {
          [name]: Object.fromEntries(instructions[name].map(part => [part, values[part] ?? null])),
          receiver: remaining === null ? null : { amount_received: 0, amount_charged: null, amount_remaining: remaining },
        },
      }
    },
    isShown: true,
    hasNoScreen: ({ to }) => to.sepa_bank_instructions !== undefined || to.multibanco !== undefined,
  }),
  display_voucher_information: kind<{ parts: VoucherParts; made: Time; until: Time | null }>({
    shows: {
      voucher_details: Type.Object(
        Object.fromEntries(
          voucherParts.map(part => [part, part === 'expires_at' ? orNull(moment('Milliseconds since 1970')) : textOrNull]),
        ),
        { title: 'VoucherDetails' },
      ),
    },
    show: ({ parts, made, until }) => ({
      voucher_details: Object.fromEntries(
        voucherParts.map(part => {
          if (part === 'expires_at') return [part, until && Date.parse(until)]
          return [
            part,
            part === 'entry_date' ? made.slice(0, 10) : part === 'expiry_date' ? (until?.slice(0, 10) ?? null) : (parts[part] ?? null),
          ]
        }),
      ),
    }),
    isShown: true,
    hasNoScreen: ({ parts }) => !parts.download_url,
  }),
  wait_screen_information: kind<{ from: Time; until: Time | null }>({ ...shownFor, waits: true }),
  invoke_upi_intent_sdk: kind<{ uri: string; from: Time; until: Time | null }>({
    shows: { sdk_uri: Type.String({ description: "URI that opens the customer's app" }), ...shownFor.shows },
    show: given => ({ sdk_uri: given.uri, ...shownFor.show(given) }),
    waits: true,
  }),
  invoke_upi_qr_flow: kind<{ uri: string; from: Time; until: Time | null }>({
    shows: { qr_code_url: Type.String({ description: 'Content of the QR code' }), ...shownFor.shows },
    show: given => ({ qr_code_url: given.uri, ...shownFor.show(given) }),
    waits: true,
  }),
  third_party_sdk_session_token: kind<{ session: Record<string, unknown> & { wallet_name: string } }>({
    shows: {
      session_token: Type.Unsafe<object>({
        ...open,
        title: 'ThirdPartySession',
        description: "Data for the wallet's or the bank's own script",
      }),
    },
    show: ({ session }) => ({ session_token: session }),
  }),
  collect_otp: kind<{ consent: (typeof consents)[number] }>({
    shows: {
      consent_data_required: Type.Enum([...consents], {
        description: 'Consent to request from the customer, together with the one-time password; send it with complete_authorize (otp)',
      }),
    },
    show: ({ consent }) => ({ consent_data_required: consent }),
    waits: true,
  }),
  invoke_hidden_iframe: kind<{ url: string; data: string }>({
    shows: {
      iframe_data: Type.Object(
        {
          method_key: Type.Enum([METHOD_KEY]),
          three_ds_method_url: uri('Post three_ds_method_data to this URL, as method_key, in a hidden iframe'),
          three_ds_method_data_submission: Type.Boolean(),
          three_ds_method_data: anyText,
          directory_server_id: textOrNull,
          message_version: textOrNull,
        },
        { title: 'IframeData', description: 'Then continue with complete_authorize (threeds_method_comp_ind)' },
      ),
    },
    show: ({ url, data }) => ({
      iframe_data: {
        method_key: METHOD_KEY,
        three_ds_method_url: url,
        three_ds_method_data_submission: true,
        three_ds_method_data: data,
        directory_server_id: null,
        message_version: null,
      },
    }),
    isShown: true,
  }),
  /** `native`: the payment's own processor authenticates; without it, a separate connector account does. */
  three_ds_invoke: kind<{
    version: string | null
    directory_server_id: string | null
    method: { url: string; data: string } | null
    native?: NativeAuthentication
  }>({
    shows: {
      three_ds_data: Type.Object(
        {
          three_ds_authentication_url: uri('Post the browser data to this URL'),
          three_ds_authorize_url: uri('Redirect the customer to this URL with a form POST once they are authenticated'),
          three_ds_method_details: Type.Object(
            {
              three_ds_method_data_submission: Type.Boolean({ description: 'Whether a hidden page of the issuer must be opened first' }),
              three_ds_method_data: textOrNull,
              three_ds_method_url: textOrNull,
              three_ds_method_key: textOrNull,
              consume_post_message_for_three_ds_method_completion: Type.Boolean(),
            },
            { title: 'ThreeDsMethodDetails' },
          ),
          poll_config: Type.Object(
            { poll_id: anyText, delay_in_secs: Type.Integer(), frequency: Type.Integer() },
            { title: 'ThreeDsPollConfig' },
          ),
          message_version: textOrNull,
          directory_server_id: textOrNull,
          card_network: textOrNull,
          three_ds_connector: textOrNull,
        },
        { title: 'ThreeDsInvoke' },
      ),
    },
    show: (
      { version, directory_server_id, method },
      { authentication: { authenticate, authorize, poll_id, connector, card_network } },
    ) => ({
      three_ds_data: {
        three_ds_authentication_url: authenticate,
        three_ds_authorize_url: authorize,
        three_ds_method_details: {
          three_ds_method_data_submission: method !== null,
          three_ds_method_data: method?.data ?? null,
          three_ds_method_url: method?.url ?? null,
          three_ds_method_key: method && METHOD_KEY,
          consume_post_message_for_three_ds_method_completion: false,
        },
        poll_config: { poll_id, ...THREE_DS_POLL },
        message_version: version,
        directory_server_id,
        card_network,
        three_ds_connector: connector,
      },
    }),
  }),
  invoke_ddc: kind<{ url: string; timeout_ms: number }>({
    shows: {
      ddc_data: Type.Object(
        { iframe_url: Type.String({ format: 'uri' }), timeout_ms: Type.Integer() },
        { title: 'DdcData', description: 'Load this in a hidden iframe, then continue with complete_authorize (threeds_method_comp_ind)' },
      ),
    },
    show: ({ url, timeout_ms }) => ({ ddc_data: { iframe_url: url, timeout_ms } }),
    isShown: true,
  }),
  invoke_sdk_client: kind<{ order_id: string }>({
    shows: { next_action_data: Type.Object({ next_action: anyText, order_id: textOrNull }, { title: 'SdkNextActionData' }) },
    show: ({ order_id }) => ({ next_action_data: { next_action: 'confirm', order_id } }),
  }),
}

type Kinds = typeof nextActions
export type NextAction = {
  [Name in keyof Kinds]: { type: Name } & (Kinds[Name] extends Kind<infer Given> ? Given : never)
}[keyof Kinds]

/** The time from which it is shown, or at which it was made, may be absent (it is now). */
export type ProcessorAction = NextAction extends infer Action
  ? Action extends { from: Time }
    ? Omit<Action, 'from'> & { from?: Time }
    : Action extends { made: Time }
      ? Omit<Action, 'made'> & { made?: Time }
      : Action
  : never

export function dated(action: ProcessorAction, now: Time): NextAction {
  switch (action.type) {
    case 'display_voucher_information':
      return { ...action, made: action.made ?? now }
    case 'wait_screen_information':
    case 'invoke_upi_intent_sdk':
    case 'invoke_upi_qr_flow':
      return { ...action, from: action.from ?? now }
    default:
      return { ...action }
  }
}

/** Another type, or the issuer now requires a challenge. */
export const isNextStep = (action: ProcessorAction, before: NextAction): boolean =>
  action.type !== before.type || (isChallenged(action) && !isChallenged(before))
const isChallenged = (action: ProcessorAction | NextAction): boolean =>
  action.type === 'three_ds_invoke' && (action.native?.challenge ?? null) !== null

// biome-ignore lint/suspicious/noExplicitAny: an action is handed to the kind that it names
const kindOf = ({ type }: ProcessorAction): Kind<any> => nextActions[type]

export function showNextAction(action: NextAction, pages: Pages): Record<string, unknown> {
  const { waits, isShown, hasNoScreen, show } = kindOf(action)
  if (pages.waiting !== null && (waits || hasNoScreen?.(action) || (isShown && pages.forAll)))
    return { type: 'redirect_to_url', redirect_to_url: pages.waiting }
  return { type: action.type, ...show(action, pages) }
}

/** Null if its kind has no URL. */
export const onwardOf = (action: ProcessorAction | null): string | null => (action && kindOf(action).onward?.(action)) ?? null

export const nextActionSeen: TSchema = oneOf(
  'NextAction',
  Object.entries(nextActions).map(([type, { shows }]) => Type.Object({ type: Type.Enum([type]), ...shows })),
)

/** Null if the browser follows a link. */
export const postedForm = (action: NextAction | null): Readonly<Record<string, string>> | null =>
  (action?.type === 'redirect_to_url' && action.form) || null
