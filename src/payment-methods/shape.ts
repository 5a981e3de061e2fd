import Type from 'typebox'
import { addressDetails, boundedText, closed, customerId, kept, metadata, shortText } from '../base/shapes.ts'
import { broughtShapes } from '../means/input.ts'
import { paymentMethodNames, paymentMethodTypes } from '../means/methods.ts'
import { networks } from '../means/networks.ts'
import { cardShape } from '../means/read-card.ts'
import { recipientFamilies } from '../means/recipients.ts'

/** What requests say of payment methods. Unknown members are refused (contract 1.2). */

const option = Type.Optional

export const issuerCodes = ['jp_hdfc', 'jp_icici', 'jp_googlepay', 'jp_applepay', 'jp_phonepay', 'jp_wechat', 'jp_sofort', 'jp_giropay']

const phone = Type.Object({ number: option(shortText), country_code: option(shortText) })
const address = Type.Object({ address: option(addressDetails), phone: option(phone), email: option(shortText) }, closed)

const { bank_debit, bank_redirect, card_redirect, crypto, pay_later } = broughtShapes

export const methodShape = Type.Object(
  {
    payment_method: Type.Enum(paymentMethodNames),
    payment_method_type: option(Type.Enum(paymentMethodTypes)),
    payment_method_issuer: option(shortText),
    payment_method_issuer_code: option(Type.Enum(issuerCodes)),
    card: option(cardShape),
    payment_method_data: option(
      Type.Object(
        {
          card: option(cardShape),
          ...{ bank_debit, bank_redirect, card_redirect, crypto, pay_later },
        },
        closed,
      ),
    ),
    bank_transfer: option(recipientFamilies.bank.shape),
    wallet: option(recipientFamilies.wallet.shape),
    bank_redirect: option(recipientFamilies.bank_redirect.shape),
    metadata: option(metadata),
    customer_id: option(customerId),
    card_network: option(Type.Enum(networks)),
    billing: option(address),
    client_secret: option(Type.String()),
  },
  closed,
)
export type MethodAsk = Type.Static<typeof methodShape>

export const methodUpdateShape = Type.Object(
  {
    card: option(
      Type.Object(
        {
          card_number: option(Type.String()),
          card_exp_month: option(Type.String()),
          card_exp_year: option(Type.String()),
          card_cvc: option(Type.String()),
          card_holder_name: option(shortText),
          nick_name: option(shortText),
          last4_digits: option(boundedText(4)),
          card_issuer: option(shortText),
          issuer_country: option(boundedText(64)),
          card_network: option(Type.Enum(networks)),
        },
        closed,
      ),
    ),
    wallet: option(kept),
    client_secret: option(Type.String({ description: 'Exactly 30 characters' })),
  },
  closed,
)
export type MethodUpdate = Type.Static<typeof methodUpdateShape>

export const saveShape = Type.Object(
  {
    payment_method_data: Type.Object({ card: cardShape }, closed),
    client_secret: option(Type.String({ description: 'Exactly 30 characters' })),
  },
  closed,
)
export type SaveAsk = Type.Static<typeof saveShape>
