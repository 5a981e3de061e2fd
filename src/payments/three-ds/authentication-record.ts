import type { AuthenticationFacts } from '../../connectors/authentication.ts'

/** A payment's 3-D Secure result. `request_id`: the operation's, not guessable; null if authenticated elsewhere. */
export type Authentication = Partial<AuthenticationFacts> & {
  connector: string | null
  request_id: string | null
  outcome: 'started' | 'success' | 'failed'
  error_code?: string
  error_message?: string
}
