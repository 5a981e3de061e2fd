import type { Money } from '../base/money.ts'
import type { Secret } from '../base/secret.ts'
import type { InstrumentOf } from './instrument.ts'

/**
 * The contract of authenticating a cardholder (EMV 3-D Secure), separate from the processor of the payment, and its
 * 3-D Secure result.
 */

/**
 * The words of EMV 3-D Secure for how an authentication stands: yes, no, not possible, attempted, rejected,
 * challenge, decoupled, for information.
 */
export const transactionStatuses = ['Y', 'N', 'U', 'A', 'R', 'C', 'D', 'I'] as const
export type TransactionStatus = (typeof transactionStatuses)[number]

/**
 * The 3-D Secure result that proves the authentication to the issuer: told to the processor with the authorization,
 * and kept nowhere.
 */
export type ThreeDsResult = {
  status: 'Y' | 'A'
  eci: string
  cavv: Secret
  ds_transaction_id: string
  version: string
}

/** Why the customer is not challenged, if the issuer agrees (PSD2). */
export const exemptions = ['low_value', 'transaction_risk_analysis'] as const
export type Exemption = (typeof exemptions)[number]

/**
 * What of authentication a payment may want of its processor: that it takes a proof, that it insists on a challenge,
 * that it asks for an exemption.
 */
export type AuthenticationPreferences = 'three_ds_result' | 'challenge' | Exemption

/** How an authentication went, as answers show it. */
export type AuthenticationFacts = {
  flow: 'frictionless' | 'challenge' | null
  status: TransactionStatus | null
  eci: string | null
  ds_transaction_id: string | null
  version: string
}

/** Is the card enrolled, and what must its issuer see before it is asked? */
export type AuthenticateRequest = { request_id: string; money: Money; instrument: InstrumentOf<'card'>; merchant_name: string }

/** The issuer's page that asks the customer: where it is, and what it is sent (`creq`). */
export type IssuerChallenge = { acs_url: string; request: string; reference_number: string | null; transaction_id: string | null }

/**
 * A processor that authenticates the customer itself, in the checkout (native 3-D Secure), as its next action says it.
 * `session`: what it calls the authentication, where it must hear that again. `challenge`: null until the issuer wants
 * one.
 */
export type NativeAuthentication = { server_transaction_id: string; session: string | null; challenge: IssuerChallenge | null }

/**
 * What the customer's browser brings of such an authentication, in the words of EMV 3-D Secure: whether the issuer's
 * hidden page has seen it; how the issuer's challenge ended.
 */
export type NativeStep = { threeds_method_comp_ind: IssuerRequest['method'] } | { trans_status: TransactionStatus }

/**
 * The customer's browser, or the app that they pay in, and whether the issuer's hidden page has seen it. `back`: an
 * address of ours where a challenge ends.
 */
export type IssuerRequest = {
  reference: string
  device: 'BRW' | 'APP'
  method: 'Y' | 'N' | 'U'
  /** Of the customer's browser, or of the app, as the checkout says it. */
  customer: Readonly<Record<string, unknown>>
  challenge: 'if needed' | 'mandated'
  back: string
}

/** What the issuer says when it is asked. */
export type IssuerReply =
  | { is: 'said'; status: TransactionStatus; challenge: IssuerChallenge | null }
  | { is: 'refused'; code: string; said: string }
  | { is: 'unknown'; why: string }
