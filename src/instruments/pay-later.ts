import Type from 'typebox'
import { partsOf } from './masked-parts.ts'
import { familyOfWays } from './other.ts'
import { asked, clear, country, need, never, token, way } from './way.ts'

const none = { shows: () => ({ klarna_sdk: null }) }

/** With the lender's token a payment is decided at once; without, the customer is redirected. */
export const payLater = familyOfWays(
  'pay_later',
  {
    klarna_redirect: way('klarna', { billing_email: asked.email, billing_country: clear(country) }, none),
    klarna_sdk: way(
      'klarna',
      { token: need(never(token)) },
      { experience: 'invoke_sdk_client', shows: () => ({ klarna_sdk: { payment_type: null } }) },
    ),
    affirm_redirect: way('affirm', {}, none),
    afterpay_clearpay_redirect: way('afterpay_clearpay', { billing_email: asked.email, billing_name: asked.name }, none),
    pay_bright_redirect: way('pay_bright', {}, none),
    walley_redirect: way('walley', {}, none),
    alma_redirect: way('alma', {}, none),
    atome_redirect: way('atome', {}, none),
    flexiti_redirect: way('flexiti', {}, none),
    breadpay_redirect: way('breadpay', {}, none),
    payjustnow_redirect: way('payjustnow', {}, none),
  },
  Type.Object({ klarna_sdk: partsOf('payment_type') }, { title: 'PayLaterSeen' }),
)
