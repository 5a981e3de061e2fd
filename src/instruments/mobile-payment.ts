import { familyOfWays } from './other.ts'
import { digits, masked, need, never, way } from './way.ts'

/** Charged to the customer's phone bill. */
export const mobilePayment = familyOfWays('mobile_payment', {
  direct_carrier_billing: way(
    'direct_carrier_billing',
    { msisdn: need(masked(undefined, { read: digits(6, 15) }), 'user_msisdn'), client_uid: never() },
    { experience: 'display_wait_screen' },
  ),
})
