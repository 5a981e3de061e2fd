import Type, { type Static } from 'typebox'
import { refuse } from '../base/refusal.ts'
import { checkAddress, strictObject } from '../base/shapes.ts'
import { connectors } from '../connectors/all.ts'

/** `authentication_connector_details`: authentication outside the processor. */

const address = Type.String({ maxLength: 2048, format: 'uri' })
export const authenticationDetailsShape = strictObject({
  authentication_connectors: Type.Array(Type.Enum(authenticating()), {
    description: 'The first connector with an enabled account is used',
  }),
  three_ds_requestor_url: Type.String({ maxLength: 2048, format: 'uri', description: 'URL of the shop, sent to the issuer' }),
  three_ds_requestor_app_url: Type.Optional(address),
})
export type AuthenticationDetails = Static<typeof authenticationDetailsShape>

function authenticating(): string[] {
  return Object.values(connectors)
    .filter(({ authenticate }) => authenticate !== undefined)
    .map(({ name }) => name)
}

export function checkAuthenticationDetails(field: string, details: AuthenticationDetails | undefined): void {
  if (details === undefined) return
  if (details.authentication_connectors.length === 0)
    refuse('unacceptable', { field: `${field}.authentication_connectors`, problem: 'must contain at least one connector' })
  checkAddress(`${field}.three_ds_requestor_url`, details.three_ds_requestor_url)
}
