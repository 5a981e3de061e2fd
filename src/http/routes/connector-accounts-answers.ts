import Type from 'typebox'
import { orNull } from '../../base/shapes.ts'
import { connectorAccountMembers, listedAccountMembers } from '../../show/account.ts'
import { shapesOf } from '../../show/member.ts'
import { flag, text, texts } from '../answer-shapes.ts'

export const connectorAccountListed = Type.Object(shapesOf(listedAccountMembers), { title: 'ConnectorAccountListed' })

export const connectorAccountAnswer = Type.Object(shapesOf(connectorAccountMembers), { title: 'ConnectorAccount' })

export const deletedConnectorAccountAnswer = Type.Object(
  { merchant_id: text, merchant_connector_id: text, deleted: flag },
  { title: 'DeletedConnectorAccount' },
)

export const registeredAnswer = Type.Object(
  {
    event_type: Type.Unknown(),
    webhook_registration_status: Type.Enum(['Success', 'Failure']),
    ...texts('connector_webhook_id error_code error_message'),
  },
  { title: 'RegisteredWebhook' },
)

export const verifiedAnswer = Type.Object(
  {
    connector_name: text,
    merchant_connector_id: orNull(text),
    verified: Type.Union([flag, Type.Null()], { description: 'null: the processor could not be reached, or its response is invalid' }),
    ...texts('error_code error_message'),
  },
  { title: 'VerifiedCredentials' },
)
