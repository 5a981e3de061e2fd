import Type from 'typebox'
import { anyText, boundedText, closed, customerId, kept, shortText, strictObject, withDescription } from '../base/shapes.ts'
import { networkTransactionId } from '../instruments/network-transaction-id.ts'
import { networks } from '../instruments/networks.ts'
import { cardShape } from '../instruments/read-card.ts'
import { shapeOf } from '../resources/read.ts'
import { methodFields } from './fields.ts'

/** The shapes of requests about payment methods. Unknown members are refused (contract 1.2). */

const option = Type.Optional

export const methodShape = shapeOf(methodFields, 'create')
export type MethodAsk = Type.Static<typeof methodShape>

const keptAt = strictObject({
  connector_mandate_id: withDescription(Type.String({ minLength: 1, maxLength: 255 }), 'What the processor calls the card'),
  connector_customer_id: option(withDescription(shortText, 'What the processor calls the customer')),
})

const { payment_method, payment_method_type, metadata, billing, card_network } = methodShape.properties
// No vault may store a security code.
const { card_cvc: _never, ...cardKept } = cardShape.properties
const { card_exp_month, card_exp_year, card_holder_name, card_issuer, card_issuing_country, card_type, nick_name } = cardKept
/** A network token in the format of existing clients' migration requests. */
const tokenKept = Type.Object(
  {
    network_token_data: strictObject({
      network_token_number: withDescription(anyText, "Number of the network's token for the card; encrypted on receipt and never returned"),
      network_token_exp_month: card_exp_month,
      network_token_exp_year: card_exp_year,
      card_network: cardKept.card_network,
      ...{ card_holder_name, card_issuer, card_issuing_country, card_type, nick_name },
    }),
    network_token_requestor_ref_id: option(withDescription(shortText, 'What the token’s requestor calls it; not used')),
  },
  { ...closed, title: 'NetworkTokenMigrated' },
)
export const migrateShape = strictObject({
  customer_id: customerId,
  payment_method: option(payment_method),
  payment_method_type,
  card: option(Type.Object(cardKept, { ...closed, title: 'CardMigrated' })),
  network_token: option(tokenKept),
  card_network,
  network_transaction_id: option(networkTransactionId),
  connector_mandate_details: option(
    Type.Record(Type.String({ maxLength: 64 }), keptAt, {
      maxProperties: 20,
      description: 'By merchant_connector_id: what the processor of that account calls the card',
    }),
  ),
  metadata,
  billing,
})
export type MigrateAsk = Type.Static<typeof migrateShape>

export const methodUpdateShape = strictObject({
  card: option(
    strictObject({
      card_number: option(Type.String()),
      card_exp_month: option(Type.String()),
      card_exp_year: option(Type.String()),
      card_cvc: option(Type.String()),
      card_holder_name: option(shortText),
      nick_name: option(shortText),
      last4_digits: option(boundedText(4)),
      card_issuer: option(shortText),
      issuer_country: option(boundedText(64)),
      issuer_country_code: option(boundedText(64)),
      card_network: option(Type.Enum(networks)),
    }),
  ),
  wallet: option(kept),
  client_secret: option(Type.String({ description: 'Exactly 30 characters' })),
})
export type MethodUpdate = Type.Static<typeof methodUpdateShape>

export const saveShape = strictObject({
  payment_method_data: option(strictObject({ card: cardShape })),
  // Existing clients send the members of a create.
  card: option(cardShape),
  payment_method: option(payment_method),
  payment_method_type,
  customer_id: methodShape.properties.customer_id,
  client_secret: option(Type.String({ description: 'Exactly 30 characters' })),
})
export type SaveAsk = Type.Static<typeof saveShape>
