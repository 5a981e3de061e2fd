import type { TObject } from 'typebox'
import type { Facts } from '../connectors/connector.ts'
import type { PaymentInstrument } from '../connectors/instrument.ts'
import type { CardFacts, Time, Vault } from '../context.ts'
import type { PaymentMethod } from './methods.ts'

/**
 * What a checkout asks its customer for: the place of it in a request, what it is called, and in the ecosystem's
 * words what kind of input it is.
 */
/** By what kind of input a checkout asks, in the ecosystem's words; with what can be chosen, where that is a list. */
export type FieldType = string | Readonly<Record<string, { options: readonly string[] }>>
export type Needed = { required_field: string; display_name: string; field_type: FieldType }

/**
 * A family of what can be paid with. `Sent`: what a request brings of it. `Seen`: what of it stands in a payment's
 * row in clear, so nothing that must not be seen. Places are paths from the top of a request.
 */
export type Family<M extends { is: PaymentInstrument['is'] }, Sent, Masked> = {
  is: M['is']
  /** To which method of the interface it belongs, with which types; is the type needed? */
  method: PaymentMethod
  types: readonly string[]
  needsType: boolean
  /** Where a request brings it, and in what shape. */
  at: string
  shape: TObject
  /** What a payer must say of one of its types, and what the customer sees of it. */
  needs(type: string): readonly Needed[]
  /** The banks that can be chosen of one of its types. */
  banks?(type: string): readonly string[]
  experiences(type: string, sent?: Sent): readonly string[]
  /** Where numbers like those of cards may stand, because the vault seals them; anywhere else they are refused. */
  sealed: readonly string[]
  /** Data that must not be stored: it is in no row for good, and in no digest of a request. */
  fleeting: readonly string[]
  /** Refuses what it cannot be, and names the field. */
  read(sent: Sent, now: Time, type: string): M
  /** The first digits, where something is known by them. */
  bin?(instrument: M): string
  /**
   * The same with what is known by its first digits. `at`: where the request says it; of what was saved before
   * nothing is refused.
   */
  informed?(instrument: M, sent: Sent, known: CardFacts, at: string | undefined): M
  /** What may stand in clear. `known`: what its first digits tell; what is sent goes before it. */
  mask(vault: Pick<Vault, 'fingerprint'>, merchant_id: string, instrument: M, sent: Sent, known?: CardFacts | null): Masked
  /** The same without who pays, of whom nothing is to be left. */
  forget(masked: Masked): Masked
  /** What the vault keeps: `lasting` as long as the payment, `waiting` until it is confirmed, and then no more. */
  seal(instrument: M): { lasting: string; waiting: string | null }
  /** The same again, out of the vault. */
  open(masked: Masked, lasting: string, waiting: string | null): M
  /** What every credential may see in `payment_method_data`: its shape, and how it is made. */
  seen: TObject
  /** false: shoppers do not have it, so no checkout is offered it. */
  atCheckout?: false
  /** Answers say its name alone. */
  bare?: true
  /** `extended`: may more than six digits of a card's number be seen? */
  show(masked: Masked, facts: Facts | null, extended?: boolean): Record<string, unknown>
}
