import Type from 'typebox'
import { familyOfWays } from './other.ts'
import { ask, clear, masked, virtualAddress, way } from './way.ts'

const upi_source = clear(Type.Enum(['UPI_CC', 'UPI_CL', 'UPI_ACCOUNT', 'UPI_CC_CL', 'UPI_PPI', 'UPI_VOUCHER']))

/** India's payments between bank accounts, which the customer makes in an app. */
export const upi = familyOfWays('upi', {
  upi_collect: way(
    'upi_collect',
    { vpa_id: ask(masked(undefined, { read: virtualAddress }), 'user_vpa_id'), upi_source },
    { experience: 'display_wait_screen' },
  ),
  upi_intent: way('upi_intent', { upi_source }, { experience: 'invoke_payment_app' }),
  upi_qr: way('upi_qr', { upi_source }, { experience: 'display_qr_code' }),
})
