import type { Money } from '../base/money.ts'
import type { Secret } from '../base/secret.ts'
import type { InstrumentOf } from './instrument.ts'

/**
 * The contract of authenticating a cardholder (EMV 3-D Secure), separate from the processor of the payment, and its
 * 3-D Secure result.
 */

/**
 * The transaction statuses of EMV 3-D Secure, the state of an authentication: yes, no, not possible, attempted,
 * rejected, challenge, decoupled, for information.
 */
export const transactionStatuses = ['Y', 'N', 'U', 'A', 'R', 'C', 'D', 'I'] as const
export type TransactionStatus = (typeof transactionStatuses)[number]

/**
 * The 3-D Secure result that proves the authentication to the issuer: sent to the processor with the authorization,
 * and stored nowhere.
 */
export type ThreeDsResult = {
  status: 'Y' | 'A'
  eci: string
  cavv: Secret
  ds_transaction_id: string
  version: string
}

/** The reasons not to challenge the customer, if the issuer agrees (PSD2). */
export const exemptions = ['low_value', 'transaction_risk_analysis'] as const
export type Exemption = (typeof exemptions)[number]

/**
 * The features of 3-D Secure that a payment may require of its processor: it takes a 3-D Secure result, requests a
 * challenge in any case, or requests an exemption.
 */
export type AuthenticationPreferences = 'three_ds_result' | 'challenge' | Exemption

/** The result of an authentication, as API responses show it. */
export type AuthenticationFacts = {
  flow: 'frictionless' | 'challenge' | null
  status: TransactionStatus | null
  eci: string | null
  ds_transaction_id: string | null
  version: string
}

/**
 * The request to find out whether the card is enrolled, and which data the issuer needs before it is asked to
 * authenticate.
 */
export type AuthenticateRequest = { request_id: string; money: Money; instrument: InstrumentOf<'card'>; merchant_name: string }

/** The issuer's challenge page: its URL (`acs_url`), and the `creq` message that is posted to it (`request`). */
export type IssuerChallenge = { acs_url: string; request: string; reference_number: string | null; transaction_id: string | null }

/**
 * An authentication that the payment's processor itself makes in the checkout (native 3-D Secure), as part of its next
 * action. `session`: the processor's id of the authentication, if later requests must contain it. `challenge`: null
 * until the issuer requires a challenge.
 */
export type NativeAuthentication = { server_transaction_id: string; session: string | null; challenge: IssuerChallenge | null }

/**
 * A result that the customer's browser reports from a native authentication, in the terms of EMV 3-D Secure: whether
 * the issuer's hidden page (3DS method) has completed, or how the issuer's challenge ended.
 */
export type NativeStep = { threeds_method_comp_ind: IssuerRequest['method'] } | { trans_status: TransactionStatus }

/**
 * The request to the issuer to authenticate the customer. `device`: the customer's browser (BRW) or the app in which
 * they pay (APP). `method`: whether the issuer's hidden page (3DS method) has completed. `back`: our URL to which a
 * challenge returns.
 */
export type IssuerRequest = {
  reference: string
  device: 'BRW' | 'APP'
  method: 'Y' | 'N' | 'U'
  /** The data of the customer's browser or app, as the checkout sent it. */
  customer: Readonly<Record<string, unknown>>
  challenge: 'if needed' | 'mandated'
  back: string
}

/** The issuer's answer to an authentication request. */
export type IssuerReply =
  | { is: 'answered'; status: TransactionStatus; challenge: IssuerChallenge | null }
  | { is: 'refused'; code: string; message: string }
  | { is: 'unknown'; why: string }
