import type { AuthenticationFacts } from '../../connectors/authentication.ts'

/**
 * The 3-D Secure result of a payment, stored with the payment. `request_id`: the request id of the operation, not
 * guessable; null if the merchant had the customer authenticated elsewhere.
 */
export type Authentication = Partial<AuthenticationFacts> & {
  connector: string | null
  request_id: string | null
  outcome: 'started' | 'success' | 'failed'
  error_code?: string
  error_message?: string
}
