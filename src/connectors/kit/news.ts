import type { OperationIdentifier, WebhookUpdate } from '../connector.ts'
import { type Outcome, withoutCapturable } from '../outcome.ts'

/** The update of an operation of ours. News may be old: they do not say what a hold still holds. */
export const newsOf = (of: OperationIdentifier, outcome: Outcome): WebhookUpdate[] =>
  outcome.is === 'unknown' ? [] : [{ is: 'outcome', of: [of], outcome: withoutCapturable(outcome) }]

/** The same of a list, which shows operations as they are now: how a hold ended is in the whole payment. */
export const listedNewsOf = (of: OperationIdentifier, outcome: Outcome): WebhookUpdate[] =>
  outcome.is === 'lapsed' ? [{ is: 'payment', of: [{ ...of, verb: 'authorize' }], report: 'ask' }] : newsOf(of, outcome)
