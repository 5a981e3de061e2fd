import { familyOfWays } from './other.ts'
import { way } from './way.ts'

const scanned = { experience: 'display_qr_code' }

/** The customer scans a QR code with their bank's app. */
export const realTimePayment = familyOfWays('real_time_payment', {
  fps: way('fps', {}, scanned),
  duit_now: way('duit_now', {}, { ...scanned, also: 'duit_now_qr' }),
  prompt_pay: way('prompt_pay', {}, scanned),
  viet_qr: way('viet_qr', {}, scanned),
  qris: way('qris', {}, scanned),
})
