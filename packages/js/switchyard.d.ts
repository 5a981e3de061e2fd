/**
 * Switchyard in a browser: what the script `/sdk/v1.js` puts at `window.Switchyard`, and `@switchyard/js` gives with
 * types. Members of a payment are called as in the API.
 */

export type SwitchyardOptions = {
  /** The address of the service; where the script came from, unless said. */
  baseUrl?: string
}

/**
 * `payment`: everything that a payment can be paid with; `card`: a card alone; `express`: wallets that this browser
 * has; `paymentMethods`: what a customer has saved, to add, delete and choose the default; `payout`: where a payout
 * goes.
 */
export type ElementType = 'payment' | 'card' | 'express' | 'paymentMethods' | 'payout'

export type Font = {
  family: string
  /** https address of a woff or woff2 file. */
  src: string
  weight?: string | number
  style?: 'normal' | 'italic'
}

/** How an element looks. What would be hard to read is not used, and named by the event `error`. */
export type Appearance = {
  /** `auto`: as the customer prefers. `light` unless said. */
  theme?: 'light' | 'dark' | 'auto'
  layout?: 'accordion' | 'spaced_accordion' | 'tabs'
  labels?: 'above' | 'floating'
  /** Of what is chosen and focused: `#rrggbb`. */
  accent?: string
  /** Of letters on the accent. */
  onAccent?: string
  /** Of the page behind the element, which then is light or dark by it. */
  background?: string
  /** `0px` to `24px`. */
  radius?: string
  fontFamily?: string
  fonts?: readonly Font[]
}

export type ElementsOptions = {
  /** Of the payment, or of the payout, from your server. Not needed for `paymentMethods`. */
  clientSecret?: string
  /** For `paymentMethods`: the customer that the ephemeral key was made for. */
  customerId?: string
  /**
   * Of the customer, from your server (`secret` of `POST /ephemeral_keys`): with it they look after what they have
   * saved, and can delete saved cards where they pay.
   */
  ephemeralKey?: string
  /**
   * For `paymentMethods`: asks your server for a new payment of amount 0 of this customer (`setup_future_usage`), and
   * gives its `client_secret`; called for each card that is added. Without it no card can be added.
   */
  fetchSetupClientSecret?: () => Promise<string>
  appearance?: Appearance
  /** `de-AT`; the browser's, unless said. */
  locale?: string
}

/** A payment as a browser sees it. */
export type PaymentResult = {
  payment_id: string
  status: string
  amount: number
  currency: string
  payment_method: string | null
  payment_method_type: string | null
  error_code: string | null
  error_message: string | null
  manual_retry_allowed: boolean | null
}

export type SwitchyardError = {
  type: 'validation_error' | 'payment_error' | 'action_error' | 'request_error' | 'session_error' | 'connection_error' | 'integration_error'
  /** What it is, for programs: of the table in docs/checkout.md, or the processor's reason of a decline. */
  code: string
  /** For the customer, in the language of the element. */
  message: string
  /** For the developer: what the service or the script said. Never shown to a customer. */
  developer_message?: string
  payment?: PaymentResult
}

/** A payout as its recipient's browser sees it; where it goes is not told. */
export type PayoutResult = {
  payout_id: string
  status: string
  amount: number
  currency: string
  payout_type: string | null
}

export type ConfirmResult = { payment: PaymentResult; error?: undefined } | { error: SwitchyardError; payment?: undefined }

export type ElementEvents = {
  ready: { wallets: string[] }
  change: { complete: boolean; value: { type: string | null } }
  focus: Record<never, never>
  blur: Record<never, never>
  escape: Record<never, never>
  /** What went wrong without a call that could say so. */
  error: { error: SwitchyardError }
  /** A payment that was decided without a call of the page: by a wallet's button, or while an element stood waiting. */
  payment: ConfirmResult
  /** What a customer has done with what they have saved. */
  paymentMethod: { action: 'added' | 'deleted' | 'default'; payment_method_id: string | null }
  /** A payout that its recipient has confirmed, or whose status has changed while they looked. */
  payout: { payout: PayoutResult }
}

export interface SwitchyardElement {
  readonly type: ElementType
  /** Into an element of the page, or the first that a selector finds. */
  mount(target: string | HTMLElement): SwitchyardElement
  /** Takes it out of the page; what was typed is gone. */
  unmount(): void
  update(options: { appearance?: Appearance }): void
  focus(): void
  blur(): void
  on<Name extends keyof ElementEvents>(name: Name, hears: (event: ElementEvents[Name]) => void): SwitchyardElement
  off<Name extends keyof ElementEvents>(name: Name, hears: (event: ElementEvents[Name]) => void): SwitchyardElement
}

export interface SwitchyardElements {
  create(type: ElementType): SwitchyardElement
  /** The element of this type; null if none was created. */
  getElement(type: ElementType): SwitchyardElement | null
  update(options: { appearance?: Appearance }): void
}

export type ConfirmOptions = {
  elements: SwitchyardElements
  /** Where the customer comes back to from other pages; the payment's `return_url`, unless said. */
  returnUrl?: string
  /** `if_required`: the result is given to the page unless another page must be gone to; `always` unless said. */
  redirect?: 'always' | 'if_required'
}

export interface Switchyard {
  elements(options: ElementsOptions): SwitchyardElements
  /** Pays with what was typed. A second call while the first is under way gets its result. */
  confirmPayment(options: ConfirmOptions): Promise<ConfirmResult>
  /** How a payment stands, by its client_secret. */
  retrievePayment(clientSecret: string): Promise<ConfirmResult>
  /** Shows what the customer must do next, if anything: after a reload, or for a payment that a server confirmed. */
  handleNextAction(options: { clientSecret: string; appearance?: Appearance; locale?: string }): Promise<ConfirmResult>
}

export interface SwitchyardConstructor {
  (publishableKey: string, options?: SwitchyardOptions): Switchyard
  readonly version: string
}
