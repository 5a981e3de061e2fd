import { Secret } from '../base/secret.ts'
import { anyText } from '../base/shapes.ts'
import type { Other } from '../connectors/instrument.ts'
import type { Time } from '../context.ts'
import { familyOfWays } from './other.ts'
import { readCard, readNumber } from './read-card.ts'
import { clear, expiry, masked, need, never, person, way } from './way.ts'

const tokens = familyOfWays('network_token', {
  network_token: way(
    'network_token',
    {
      network_token: need(masked(anyText, { read: readNumber })),
      token_exp_month: need(expiry.month),
      token_exp_year: need(expiry.year),
      token_cryptogram: never(),
      eci: clear(anyText),
      card_holder_name: person(),
      card_network: clear(anyText),
      card_type: clear(anyText),
      card_issuer: clear(anyText),
      card_issuing_country: clear(anyText),
      nick_name: person(),
    },
    { ends: ['token_exp_month', 'token_exp_year'] },
  ),
})

/** The cryptogram is valid for one payment only; a merchant-initiated charge has none. */
export const networkToken: typeof tokens = { ...tokens, atCheckout: false }

type TokenInput = {
  number: string
  exp_month: string
  exp_year: string
} & Partial<Record<(typeof open)[number] | (typeof hidden)[number], string | undefined>>
const open = ['eci', 'card_network', 'card_type', 'card_issuer', 'card_issuing_country'] as const
const hidden = ['card_holder_name', 'nick_name'] as const

/** Checked as a card, because a token has a number and an expiry. `names`: of these members in the request. */
export function readNetworkToken(
  input: TokenInput,
  now: Time,
  at: string,
  names: Record<'number' | 'exp_month' | 'exp_year', string>,
): Other<'network_token'> {
  const { exp_month, exp_year } = input
  const { number } = readCard({ card_number: input.number, card_exp_month: exp_month, card_exp_year: exp_year }, now, at, {
    card_number: names.number,
    card_exp_month: names.exp_month,
    card_exp_year: names.exp_year,
  })
  return {
    is: 'network_token',
    type: 'network_token',
    way: 'network_token',
    open: { token_exp_month: exp_month, token_exp_year: exp_year, ...membersNamed(input, open, text => text) },
    secrets: { network_token: number, ...membersNamed(input, hidden, text => new Secret(text)) },
  }
}

const membersNamed = <Name extends string, T>(
  input: Partial<Record<Name, string | undefined>>,
  names: readonly Name[],
  as: (text: string) => T,
) => Object.fromEntries(names.flatMap(name => (input[name] === undefined ? [] : [[name, as(input[name])]]))) as Record<string, T>
