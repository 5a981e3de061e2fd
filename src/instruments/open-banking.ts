import { familyOfWays } from './other.ts'
import { way } from './way.ts'

/** The customer starts the payment at their bank, in the window of a processor's SDK. */
export const openBanking = familyOfWays('open_banking', {
  open_banking_pis: way(['open_banking_pis', 'open_banking'], {}, { experience: 'invoke_sdk_client', also: 'open_banking' }),
})
