import Type from 'typebox'
import { converseAbout, noAnswer } from '../../accounts/converse-about.ts'
import { findConnectorAccount } from '../../accounts/merchant.ts'
import { profileSetting } from '../../accounts/profile-settings.ts'
import { refuse } from '../../base/refusal.ts'
import { shortText } from '../../base/shapes.ts'
import { connectors } from '../../connectors/all.ts'
import type { IssuerReply } from '../../connectors/authentication.ts'
import { findOperation } from '../../operations/operation.ts'
import { fields } from '../fields/all.ts'
import { ownerOf, type Payment } from '../payment.ts'
import { clientSecret } from '../request-shapes.ts'
import { needPayment } from '../rows.ts'
import type { UseCaseCall } from '../services.ts'
import { authorizePage, isBeingAuthenticated, nativeOf } from './external-three-ds.ts'
import { authenticateNatively } from './native-three-ds.ts'

const text = Type.String({ minLength: 1, maxLength: 4096 })
const sdkInformation = Type.Object({
  sdk_app_id: shortText,
  sdk_enc_data: text,
  sdk_ephem_pub_key: Type.Record(Type.String(), shortText),
  sdk_trans_id: shortText,
  sdk_reference_number: shortText,
  sdk_max_timeout: Type.Integer({ minimum: 0, maximum: 99 }),
  sdk_type: Type.Optional(shortText),
  device_details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

export const askIssuerShape = Type.Object({
  client_secret: Type.Optional(clientSecret),
  device_channel: Type.Enum(['APP', 'BRW'], { description: 'Whether the customer pays in an app or in a browser' }),
  threeds_method_comp_ind: Type.Enum(['Y', 'N', 'U'], {
    description: "Whether the issuer's hidden page has run; U: there was none",
  }),
  browser_info: Type.Optional(fields.browser_info.shape),
  sdk_information: Type.Optional(sdkInformation),
})
export type AskIssuerAsk = Type.Static<typeof askIssuerShape>

/**
 * Queries the issuer for a checkout, with the data of the customer's browser. A customer who is challenged continues to
 * the issuer first, any other to our authorize page. Apart from the processor nothing is written: the directory server
 * gives the same answer again, and its result arrives when the customer returns. Refuses (IR_16) a payment that awaits
 * no authentication, and (HE_00) without an answer: the checkout may try again.
 */
export async function askIssuer(call: UseCaseCall, payment_id: string, ask: AskIssuerAsk): Promise<Record<string, unknown>> {
  const { context, services, merchant } = call
  const payment = await needPayment(context, merchant.merchant_id, payment_id)
  if (!isBeingAuthenticated(payment) || payment.alone === null)
    return refuse('precondition', {
      problem: `This payment is not awaiting 3-D Secure authentication: its status is ${payment.status}, and its next_action must be three_ds_invoke`,
    })
  if (ask.device_channel === 'APP' && ask.sdk_information === undefined) refuse('missing', { field: 'sdk_information' })
  if (nativeOf(payment)) {
    if (ask.device_channel === 'APP')
      refuse('precondition', { problem: `${payment.connector} authenticates this customer in a browser: device_channel must be BRW` })
    const { server_transaction_id, ...result } = await authenticateNatively(call, payment, ask.threeds_method_comp_ind)
    return answerOf(call, payment, result, server_transaction_id)
  }
  const operation = await findOperation(context, ownerOf(payment), payment.alone)
  const connector = operation && connectors[operation.connector]
  const account = operation && findConnectorAccount(merchant, operation.merchant_connector_id)?.account
  if (!operation?.reference || !connector?.ask_issuer || !account) return refuse('authentication_unanswered')
  const conversation = connector.ask_issuer(
    {
      reference: operation.reference,
      device: ask.device_channel,
      method: ask.threeds_method_comp_ind,
      customer: ask.sdk_information ?? { ...payment.request.browser_info, ...ask.browser_info },
      challenge: payment.request.force_3ds_challenge === true ? 'mandated' : 'if needed',
      back: authorizePage(services.publicUrl, payment),
    },
    account,
  )
  const owner = { merchant_id: merchant.merchant_id, merchant_connector_id: operation.merchant_connector_id }
  const reply = await converseAbout<IssuerReply>(context, owner, account, conversation, noAnswer)
  if (reply.is === 'unknown') return refuse('authentication_unanswered')
  if (reply.is === 'refused')
    return refuse('connector_refused', { connector: operation.connector, code: reply.code, reason: reply.message })
  return answerOf(call, payment, reply, operation.reference)
}

type Result = Pick<Extract<IssuerReply, { is: 'answered' }>, 'status' | 'challenge'>

function answerOf(
  { merchant }: UseCaseCall,
  { profile_id }: Payment,
  result: Result,
  server_transaction_id: string,
): Record<string, unknown> {
  const details = profileSetting(merchant, profile_id, 'authentication_connector_details')
  return {
    trans_status: result.status,
    acs_url: result.challenge?.acs_url ?? null,
    challenge_request: result.challenge?.request ?? null,
    challenge_request_key: result.challenge && 'creq',
    acs_reference_number: result.challenge?.reference_number ?? null,
    acs_trans_id: result.challenge?.transaction_id ?? null,
    three_dsserver_trans_id: server_transaction_id,
    acs_signed_content: null,
    three_ds_requestor_url: details?.three_ds_requestor_url ?? null,
    three_ds_requestor_app_url: details?.three_ds_requestor_app_url ?? null,
    error_message: null,
  }
}
