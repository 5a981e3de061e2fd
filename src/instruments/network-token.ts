import { anyText } from '../base/shapes.ts'
import { familyOfWays } from './other.ts'
import { readNumber } from './read-card.ts'
import { clear, digits, masked, need, never, person, way } from './way.ts'

const tokens = familyOfWays('network_token', {
  network_token: way('network_token', {
    network_token: need(masked(anyText, { read: readNumber })),
    token_exp_month: need(clear(anyText, { read: digits(1, 2) })),
    token_exp_year: need(clear(anyText, { read: digits(2, 4) })),
    token_cryptogram: never(),
    eci: clear(anyText),
    card_holder_name: person(),
    card_network: clear(anyText),
  }),
})

/**
 * A card by the token that its network gave for it, to the merchant or to another vault. The cryptogram is of this
 * payment alone; a token that is charged again comes without one.
 */
export const networkToken: typeof tokens = { ...tokens, atCheckout: false }
