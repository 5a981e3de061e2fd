import type { Money } from '../base/money.ts'
import type { Secret } from '../base/secret.ts'
import type { InstrumentOf } from './instrument.ts'

/** EMV 3-D Secure: yes, no, not possible, attempted, rejected, challenge, decoupled, for information. */
export const transactionStatuses = ['Y', 'N', 'U', 'A', 'R', 'C', 'D', 'I'] as const
export type TransactionStatus = (typeof transactionStatuses)[number]

/** Sent to the processor with the authorization, and stored nowhere. */
export type ThreeDsResult = { status: 'Y' | 'A'; eci: string; cavv: Secret; ds_transaction_id: string; version: string }

/** PSD2. */
export const exemptions = ['low_value', 'transaction_risk_analysis'] as const
export type Exemption = (typeof exemptions)[number]

/** Features that a payment may require: taking a 3-D Secure result, a challenge in any case, or an exemption. */
export type AuthenticationPreferences = 'three_ds_result' | 'challenge' | Exemption

export type AuthenticationFacts = {
  flow: 'frictionless' | 'challenge' | null
  status: TransactionStatus | null
  eci: string | null
  ds_transaction_id: string | null
  version: string
}

/** Whether the card is enrolled, and which data the issuer needs before it authenticates. */
export type AuthenticateRequest = { request_id: string; money: Money; instrument: InstrumentOf<'card'>; merchant_name: string }

/** `request`: the `creq` message that is posted to `acs_url`. */
export type IssuerChallenge = { acs_url: string; request: string; reference_number: string | null; transaction_id: string | null }

/**
 * An authentication that the payment's processor itself makes in the checkout (native 3-D Secure), as part of its next
 * action. `session`: the processor's id of the authentication, if later requests must contain it. `challenge`: null
 * until the issuer requires a challenge.
 */
export type NativeAuthentication = { server_transaction_id: string; session: string | null; challenge: IssuerChallenge | null }

/** In the terms of EMV 3-D Secure: whether the 3DS method has completed, or how the challenge ended. */
export type NativeStep = { threeds_method_comp_ind: IssuerRequest['method'] } | { trans_status: TransactionStatus }

/** `device`: browser (BRW) or app (APP). `method`: whether the 3DS method has completed. `back`: our return URL. */
export type IssuerRequest = {
  reference: string
  device: 'BRW' | 'APP'
  method: 'Y' | 'N' | 'U'
  /** The data of the customer's browser or app, as the checkout sent it. */
  customer: Readonly<Record<string, unknown>>
  challenge: 'if needed' | 'mandated'
  back: string
}

export type IssuerReply =
  | { is: 'answered'; status: TransactionStatus; challenge: IssuerChallenge | null }
  | { is: 'refused'; code: string; message: string }
  | { is: 'unknown'; why: string }
