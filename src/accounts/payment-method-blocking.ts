import Type from 'typebox'
import { countries } from '../base/countries.ts'
import { bool, closed, strictObject } from '../base/shapes.ts'

/** `payment_method_blocking`: cards by their BIN data, and wallets by the card behind them. */

const cardTypes = Type.Optional(Type.Array(Type.Enum(['credit', 'debit', 'prepaid', 'charge', 'deferred']), { maxItems: 5 }))
const names = Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 1000 }))

export const blockingShape = Type.Object(
  {
    card: Type.Optional(
      strictObject({
        issuing_country: Type.Optional(Type.Array(Type.Enum(countries), { maxItems: 300 })),
        card_types: cardTypes,
        card_subtypes: names,
        issuers: names,
        block_if_bin_info_unavailable: Type.Optional(bool),
      }),
    ),
    wallet: Type.Optional(strictObject({ card_types: cardTypes })),
  },
  {
    ...closed,
    description:
      'Payments with these cards fail with HE_03, and nothing is sent to a processor. Card details come from BIN data (`npm run bins:import`), never from the request. `block_if_bin_info_unavailable`: cards without the BIN data checked here are blocked too.',
  },
)
export type Blocking = Type.Static<typeof blockingShape>
