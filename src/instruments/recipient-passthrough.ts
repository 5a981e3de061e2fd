import Type from 'typebox'
import { refuse } from '../base/refusal.ts'
import { Secret } from '../base/secret.ts'
import { boundedText, closed } from '../base/shapes.ts'
import type { Recipient } from '../connectors/instrument.ts'
import { maskedAccount, type RecipientFamily } from './recipient.ts'

/**
 * Recipients that the processor has stored (contract 4.11). Only the merchant's server may send such a token, because
 * the service does not check that it belongs to the caller.
 */

const passthroughShape = Type.Object(
  { psp_token: boundedText(255), token_type: boundedText(64), psp_customer_id: Type.Optional(boundedText(255)) },
  closed,
)
export type PassthroughSent = Type.Static<typeof passthroughShape>
export type Passthrough = Extract<Recipient, { is: 'passthrough' }>

const NAME = /^[\w.:-]{1,255}$/

export const recipientPassthrough: RecipientFamily<Passthrough, PassthroughSent> = {
  is: 'passthrough',
  shape: passthroughShape,
  payment_method: 'passthrough',
  sealed: [],
  byServer: true,
  read({ psp_token, token_type, psp_customer_id = null }, at) {
    for (const [name, value] of Object.entries({ psp_token, token_type, psp_customer_id }))
      if (value !== null && !NAME.test(value))
        refuse('unacceptable', { field: `${at}.${name}`, problem: 'must contain letters, digits and _ . : - only' })
    return { is: 'passthrough', type: token_type, account: new Secret(psp_token), customer: psp_customer_id, holder: null }
  },
  show: ({ account, type }) => ({ psp_token: maskedAccount(account.reveal()), token_type: type }),
}
