import { familyOfWays } from './other.ts'
import { way } from './way.ts'

/** Cards whose numbers are entered at the network's own page. */
export const cardRedirect = familyOfWays('card_redirect', {
  knet: way('knet'),
  benefit: way('benefit'),
  momo_atm: way('momo_atm'),
  card_redirect: way('card_redirect'),
})
