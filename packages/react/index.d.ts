import type { ElementEvents, ElementsOptions, Switchyard, SwitchyardElement, SwitchyardElements } from '@switchyard/js'
import type { FunctionComponent, ReactNode } from 'react'

export type SwitchyardProviderProps = {
  /** What `loadSwitchyard()` gave: at once, or as a promise. */
  switchyard: Switchyard | null | Promise<Switchyard | null>
  /** Without a `clientSecret` or `ephemeralKey` yet (null), nothing is shown. A new one begins anew. */
  options: ElementsOptions | null
  children?: ReactNode
}
/** Gives the elements of one payment, customer or payout to what is in it. */
export const SwitchyardProvider: FunctionComponent<SwitchyardProviderProps>

export type ElementProps = {
  id?: string
  className?: string
  onReady?: (event: ElementEvents['ready'], element: SwitchyardElement) => void
  onChange?: (event: ElementEvents['change']) => void
  onFocus?: (event: ElementEvents['focus']) => void
  onBlur?: (event: ElementEvents['blur']) => void
  onEscape?: (event: ElementEvents['escape']) => void
  onError?: (event: ElementEvents['error']) => void
  onPayment?: (event: ElementEvents['payment']) => void
  onPaymentMethod?: (event: ElementEvents['paymentMethod']) => void
  onPayout?: (event: ElementEvents['payout']) => void
}
/** Everything that the payment can be paid with. */
export const PaymentElement: FunctionComponent<ElementProps>
/** A card alone. */
export const CardElement: FunctionComponent<ElementProps>
/** Wallets that this browser has. */
export const ExpressElement: FunctionComponent<ElementProps>
/** What a customer has saved: options with `customerId` and `ephemeralKey`. */
export const PaymentMethodsElement: FunctionComponent<ElementProps>
/** Where a payout goes: options with its `clientSecret`. */
export const PayoutElement: FunctionComponent<ElementProps>

/** Null until the script is loaded. */
export function useSwitchyard(): Switchyard | null
/** Null until the script is loaded. For `confirmPayment`. */
export function useElements(): SwitchyardElements | null
