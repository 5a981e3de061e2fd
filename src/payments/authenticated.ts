import type { AuthenticationFacts } from '../connectors/authentication.ts'

/**
 * How it stands with a payment, as long as the payment is kept. `request_id`: of the operation, which nobody can
 * guess; null where the merchant had it made.
 */
export type Authentication = Partial<AuthenticationFacts> & {
  connector: string | null
  request_id: string | null
  outcome: 'started' | 'success' | 'failed'
  error_code?: string
  error_message?: string
}
