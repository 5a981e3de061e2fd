import Type, { type Static } from 'typebox'
import { closedObject, metadata, withDescription } from '../base/shapes.ts'
import { shapeOf } from '../resources/read.ts'
import { connectorAccountFields } from './connector-account-fields.ts'

const option = Type.Optional

export const connectorAccountShape = shapeOf(connectorAccountFields, 'create')
export type ConnectorAccountAsk = Static<typeof connectorAccountShape>

export const connectorAccountUpdateShape = shapeOf(connectorAccountFields, 'update')
export type ConnectorAccountUpdate = Static<typeof connectorAccountUpdateShape>

export const verifyShape = closedObject({
  connector_name: option(withDescription(connectorAccountFields.connector_name.shape, connectorAccountFields.connector_name.description)),
  connector_type: option(connectorAccountFields.connector_type.shape),
  connector_account_details: option(connectorAccountFields.connector_account_details.shape),
  merchant_connector_id: option(
    Type.String({ maxLength: 255, description: 'An existing account, which provides the values that are not sent' }),
  ),
  metadata: option(metadata),
})
export type VerifyAsk = Static<typeof verifyShape>
