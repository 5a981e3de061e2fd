import Type from 'typebox'
import { boundedText, closed, kept, shortText } from '../base/shapes.ts'
import { networks } from '../instruments/networks.ts'
import { cardShape } from '../instruments/read-card.ts'
import { shapeOf } from '../resources/read.ts'
import { methodFields } from './fields.ts'

/** What requests say of payment methods. Unknown members are refused (contract 1.2). */

const option = Type.Optional

export const methodShape = shapeOf(methodFields, 'create')
export type MethodAsk = Type.Static<typeof methodShape>

export const methodUpdateShape = Type.Object(
  {
    card: option(
      Type.Object(
        {
          card_number: option(Type.String()),
          card_exp_month: option(Type.String()),
          card_exp_year: option(Type.String()),
          card_cvc: option(Type.String()),
          card_holder_name: option(shortText),
          nick_name: option(shortText),
          last4_digits: option(boundedText(4)),
          card_issuer: option(shortText),
          issuer_country: option(boundedText(64)),
          card_network: option(Type.Enum(networks)),
        },
        closed,
      ),
    ),
    wallet: option(kept),
    client_secret: option(Type.String({ description: 'Exactly 30 characters' })),
  },
  closed,
)
export type MethodUpdate = Type.Static<typeof methodUpdateShape>

export const saveShape = Type.Object(
  {
    payment_method_data: Type.Object({ card: cardShape }, closed),
    client_secret: option(Type.String({ description: 'Exactly 30 characters' })),
  },
  closed,
)
export type SaveAsk = Type.Static<typeof saveShape>
