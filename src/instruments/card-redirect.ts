import { familyOfWays } from './other.ts'
import { need, never, token, way } from './way.ts'

/**
 * Cards whose numbers are entered at the network's or the processor's own page; or in fields of the processor within
 * the shop's page, which give the shop a token.
 */
export const cardRedirect = familyOfWays('card_redirect', {
  knet: way('knet'),
  benefit: way('benefit'),
  momo_atm: way('momo_atm'),
  card_redirect: way('card_redirect'),
  card_component: way('card_redirect', { token: need(never(token)) }, { experience: 'invoke_sdk_client' }),
})
