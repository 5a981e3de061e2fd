import { familyOfWays } from './other.ts'
import { way } from './way.ts'

const scanned = { experience: 'display_qr_code' }

/** Payments between bank accounts that arrive at once: the customer scans a code with the app of their bank. */
export const realTimePayment = familyOfWays('real_time_payment', {
  fps: way('fps', {}, scanned),
  duit_now: way('duit_now', {}, scanned),
  prompt_pay: way('prompt_pay', {}, scanned),
  viet_qr: way('viet_qr', {}, scanned),
  qris: way('qris', {}, scanned),
})
