import type { TObject } from 'typebox'
import type { Facts } from '../connectors/connector.ts'
import type { PaymentInstrument } from '../connectors/instrument.ts'
import type { CardFacts, Time, Vault } from '../context.ts'
import type { PaymentMethod } from './methods.ts'

/**
 * A field that a checkout asks its customer for: the path of the field in a request, its name, and the kind of input
 * in the ecosystem's words.
 */
/** The kind of input for a field, in the ecosystem's words; for a list, together with its options. */
export type FieldType = string | Readonly<Record<string, { options: readonly string[] }>>
export type Needed = { required_field: string; display_name: string; field_type: FieldType }

/**
 * A family of payment instruments. `Sent`: the instrument as a request contains it. `Masked`: the part that is stored
 * in clear in a payment's row, which contains no secret. Fields are named by their path from the top of a request.
 */
export type Family<M extends { is: PaymentInstrument['is'] }, Sent, Masked> = {
  is: M['is']
  /** The API's payment method of the family, its payment method types, and whether a request must give the type. */
  method: PaymentMethod
  types: readonly string[]
  needsType: boolean
  /** The path of the instrument in a request, and its schema. */
  at: string
  shape: TObject
  /** Returns the fields that a checkout asks for, for a payment method type of the family. */
  needs(type: string): readonly Needed[]
  /** Returns the banks that the customer can choose from, for a payment method type of the family. */
  banks?(type: string): readonly string[]
  experiences(type: string, sent?: Sent): readonly string[]
  /**
   * The fields that may contain card numbers, because the vault encrypts them. Any other field refuses such numbers.
   */
  sealed: readonly string[]
  /** The fields that must not be stored: they stay in no row permanently, and no digest of a request covers them. */
  fleeting: readonly string[]
  /** Reads an instrument from a request. Refuses an invalid instrument and names the field at fault. */
  read(sent: Sent, now: Time, type: string): M
  /** Returns the first digits of the number, for families that have BIN data. */
  bin?(instrument: M): string
  /**
   * Adds the BIN data of its first digits to an instrument. `at`: the path of the instrument in the request. For a
   * saved instrument `at` is undefined, and nothing is refused.
   */
  informed?(instrument: M, sent: Sent, known: CardFacts, at: string | undefined): M
  /** Returns the part that may be stored in clear. `known`: the BIN data; values of the request take precedence. */
  mask(vault: Pick<Vault, 'fingerprint'>, merchant_id: string, instrument: M, sent: Sent, known?: CardFacts | null): Masked
  /** Removes the personal data of the payer from a masked instrument. */
  forget(masked: Masked): Masked
  /** Returns the secrets for the vault: `lasting` is kept with the payment, `waiting` only until it is confirmed. */
  seal(instrument: M): { lasting: string; waiting: string | null }
  /** Restores an instrument from its masked part and its secrets in the vault. */
  open(masked: Masked, lasting: string, waiting: string | null): M
  /** The schema of the family in `payment_method_data` of answers, which every credential may see. */
  seen: TObject
  /**
   * Always false: the family is not offered in checkouts, because customers do not have such instruments themselves.
   */
  atCheckout?: false
  /** Whether answers contain only the family's name in place of an object. */
  bare?: true
  /** Returns the instrument as answers show it. `extended`: whether more than the first six digits may be shown. */
  show(masked: Masked, facts: Facts | null, extended?: boolean): Record<string, unknown>
}
