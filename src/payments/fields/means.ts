import Type from 'typebox'
import { anyText, byName, kept, shortText } from '../../base/shapes.ts'
import { channels } from '../../connectors/purchase.ts'
import { broughtByName, broughtShapes } from '../../means/input.ts'
import { paymentMethods, paymentMethodTypes } from '../../means/methods.ts'
import { checkCvc } from './checks.ts'
import { closed, type Field, refused } from './field.ts'
import { checkInstallmentOptions, installmentData, installmentOptions } from './installments.ts'
import { address } from './payer.ts'

export const paymentMethodData = Type.Object(
  {
    ...broughtShapes,
    card_token: Type.Optional(Type.Object({ card_holder_name: Type.Optional(shortText), card_cvc: Type.Optional(anyText) })),
    billing: Type.Optional(address),
  },
  { ...closed, ...byName(broughtByName) },
)

const experiences = `redirect_to_url invoke_sdk_client display_qr_code one_click link_wallet invoke_payment_app display_wait_screen collect_otp`

/** With what it is paid. */
export const means = {
  payment_method: {
    shape: Type.Enum(paymentMethods),
    by: 'browser',
    kept: 'asked',
    shown: 'to all',
    does: 'what it says',
    says: 'What kind of thing is paid with; which of these can be paid with is up to the connectors',
  },
  payment_method_type: { shape: Type.Enum(paymentMethodTypes), by: 'browser', kept: 'asked', shown: 'to all', does: 'what it says' },
  payment_method_data: {
    shape: paymentMethodData,
    by: 'browser',
    kept: 'vault',
    shown: 'otherwise',
    does: 'what it says',
    inside: {
      'card.bank_code': 'Not even kept',
      'card.card_issuing_country_code': 'Not even kept',
    },
    says: 'What is paid with',
  },
  card_cvc: {
    shape: anyText,
    by: 'browser',
    kept: 'nowhere',
    shown: 'never',
    does: 'what it says',
    check: checkCvc,
    says: 'Used for one authorization and never kept after it',
  },
  payment_experience: {
    shape: Type.Enum(experiences.split(' ')),
    by: 'browser',
    kept: 'asked',
    shown: 'to all',
    does: 'what it says',
    says: 'What the customer is to see of it: it must be what that has which is paid with',
  },
  allowed_payment_method_types: {
    shape: Type.Array(Type.Enum(paymentMethodTypes)),
    by: 'server',
    kept: 'asked',
    shown: 'to all',
    does: 'what it says',
    says: 'The types that the customer may choose from: the list for a checkout holds no others, and no other is taken',
  },
  payment_token: {
    shape: shortText,
    by: 'browser',
    kept: 'asked',
    shown: 'otherwise',
    does: 'what it says',
    says: 'Stands for a saved payment method, for a quarter of an hour',
  },
  tokenization: {
    shape: Type.Enum(['skip_psp', 'tokenize_at_psp']),
    by: 'server',
    kept: 'asked',
    shown: 'to all',
    does: 'what it says',
    says: 'Of a card that is saved (setup_future_usage, customer_acceptance). tokenize_at_psp: only accounts whose processor can keep it are asked. skip_psp: the processor is not asked to keep it, and later payments use the saved number, and without the customer its network_transaction_id. Without it a processor that can keep it does',
  },
  payment_channel: {
    // Beside these the ecosystem has an object that names another: that is refused by name.
    shape: Type.Unsafe<string | { other: string }>(Type.Union([Type.Enum(['ecommerce', ...channels]), Type.Object({ other: shortText })])),
    by: 'server',
    kept: 'asked',
    shown: 'to all',
    does: refused('processors know no other channel', 'ecommerce', ...channels),
    says: 'mail_order, telephone_order: the card was told by letter or telephone, so nobody is challenged (authentication_type is no_three_ds then), and only connectors that take such orders are asked',
  },
  installment_options: {
    shape: installmentOptions,
    by: 'server',
    kept: 'asked',
    shown: 'to all',
    does: 'what it says',
    check: checkInstallmentOptions,
    says: 'What the customer may choose from (installment_data), of cards: checkouts are told of it. interest_rate may only be 0. Not with confirm: true at create',
  },
  installment_data: {
    shape: installmentData,
    by: 'browser',
    kept: 'asked',
    shown: 'to all',
    does: 'what it says',
    says: 'What the customer chose: the issuer of the card divides the payment into so many months, and you are paid all of it at once. One of installment_options, where there are some; from a browser always. 1: not divided. Only connectors that take installments are asked',
  },
  ctp_service_details: { shape: kept, by: 'browser', kept: 'asked', shown: 'never', does: refused('no connector takes Click to Pay') },
} satisfies Record<string, Field>
