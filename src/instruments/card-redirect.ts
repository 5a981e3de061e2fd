import { familyOfWays } from './other.ts'
import { need, never, token, way } from './way.ts'

/**
 * The customer enters the number on the page of the network or processor, or in the processor's fields within the
 * shop's page, which return a token.
 */
export const cardRedirect = familyOfWays('card_redirect', {
  knet: way('knet'),
  benefit: way('benefit'),
  momo_atm: way('momo_atm'),
  card_redirect: way('card_redirect'),
  card_component: way('card_redirect', { token: need(never(token)) }, { experience: 'invoke_sdk_client' }),
})
