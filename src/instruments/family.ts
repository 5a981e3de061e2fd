import type { TObject } from 'typebox'
import type { Facts } from '../connectors/connector.ts'
import type { PaymentInstrument } from '../connectors/instrument.ts'
import type { CardFacts, Time, Vault } from '../context.ts'
import type { PaymentMethod } from './methods.ts'

/** A field that a checkout asks its customer for: its path in a request, its name, and the kind of input. */
/** In the ecosystem's words; for a list, together with its options. */
export type FieldType = string | Readonly<Record<string, { options: readonly string[] }>>
export type Needed = { required_field: string; display_name: string; field_type: FieldType }

/** `Sent`: as in a request. `Masked`: stored in clear. Fields are named by their path from the top of a request. */
export type Family<M extends { is: PaymentInstrument['is'] }, Sent, Masked> = {
  is: M['is']
  /** `needsType`: a request must give the payment method type. */
  method: PaymentMethod
  types: readonly string[]
  needsType: boolean
  /** Path in a request. */
  at: string
  shape: TObject
  needs(type: string): readonly Needed[]
  /** The banks that the customer can choose from. */
  banks?(type: string): readonly string[]
  experiences(type: string, sent?: Sent): readonly string[]
  /** Fields that may contain card numbers, because the vault encrypts them. Any other field refuses such numbers. */
  sealed: readonly string[]
  /** Fields that must not be stored: they stay in no row permanently, and no digest of a request covers them. */
  fleeting: readonly string[]
  read(sent: Sent, now: Time, type: string): M
  /** The first digits of the number, for families that have BIN data. */
  bin?(instrument: M): string
  /** Adds BIN data. `at`: the path in the request; undefined for a saved instrument, of which nothing is refused. */
  informed?(instrument: M, sent: Sent, known: CardFacts, at: string | undefined): M
  /** `known`: BIN data; values of the request take precedence. */
  mask(vault: Pick<Vault, 'fingerprint'>, merchant_id: string, instrument: M, sent: Sent, known?: CardFacts | null): Masked
  forget(masked: Masked): Masked
  /** Secrets for the vault: `lasting` is kept with the payment, `waiting` only until it is confirmed. */
  seal(instrument: M): { lasting: string; waiting: string | null }
  open(masked: Masked, lasting: string, waiting: string | null): M
  /** The schema in `payment_method_data` of answers, which every credential may see. */
  seen: TObject
  /** Not offered in checkouts, because customers do not have such instruments themselves. */
  atCheckout?: false
  /** Answers contain only the family's name in place of an object. */
  bare?: true
  /** `extended`: more than the first six digits may be shown. */
  show(masked: Masked, facts: Facts | null, extended?: boolean): Record<string, unknown>
}
