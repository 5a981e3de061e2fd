import Type, { type Static } from 'typebox'
import { isCurrency } from '../base/currencies.ts'
import { refuse } from '../base/refusal.ts'
import { amount, strictObject } from '../base/shapes.ts'
import type { Merchant } from './merchant.ts'

const amounts = (description: string) =>
  Type.Optional(Type.Record(Type.String({ pattern: '^[A-Z]{3}$' }), amount('In the lowest denomination'), { description }))

const HOUR_S = 3600
const USUAL_S = 72 * HOUR_S

export const secondPersonShape = strictObject({
  above: amounts(
    'By currency: what a person asks for above this amount waits for a second person. A currency that is not named needs one for every amount',
  ),
  expires_after: Type.Optional(
    Type.Integer({
      minimum: HOUR_S,
      maximum: 30 * 24 * HOUR_S,
      description: `Seconds after which what waits for a second person expires; default ${USUAL_S}`,
    }),
  ),
  operator_refunds_up_to: amounts(
    'By currency: the most that a person with the role operator may refund of one payment. A currency that is not named has no limit',
  ),
  maker_may_not_fulfill: Type.Optional(
    Type.Boolean({ description: 'Whether a person who created, changed or confirmed a payout may not fulfill it' }),
  ),
})
export type SecondPerson = Static<typeof secondPersonShape>

export function checkSecondPersonSetting(setting: SecondPerson | undefined): void {
  for (const name of ['above', 'operator_refunds_up_to'] as const)
    for (const currency of Object.keys(setting?.[name] ?? {}))
      if (!isCurrency(currency))
        refuse('invalid_value', { field: `second_person.${name}`, problem: `has ${currency}, which is no currency` })
}

export const secondPersonOf = ({ details }: Pick<Merchant, 'details'>): SecondPerson =>
  (details.second_person as SecondPerson | undefined) ?? {}

export const expiresAfterMs = ({ expires_after = USUAL_S }: SecondPerson): number => expires_after * 1000

/** `approved`: the approval by a second user, if the request runs with one. */
export type Asker = { user_id: string; role: string | null; approved: { amount: number | null } | null }
