import { answer, POST, type Schemas } from '../../api'
import type { Account } from '../../queries'

/**
 * Changes members of a connector account. `disabled` is always sent, because a request without it enables the account.
 */
export const saveAccount = (
  merchant_id: string,
  { connector_type, merchant_connector_id, disabled }: Account,
  members: Record<string, unknown>,
  key: string,
): Promise<Account> =>
  answer(
    POST('/account/{merchant_id}/connectors/{merchant_connector_id}', {
      params: { path: { merchant_id, merchant_connector_id }, header: { 'Idempotency-Key': key } },
      body: { connector_type, disabled, ...members } as Schemas['UpdateConnectorAccountRequest'],
    }),
  )
