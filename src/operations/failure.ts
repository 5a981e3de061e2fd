import type { GsmRule } from '../accounts/gsm.ts'
import type { DeclineCode, Outcome } from '../connectors/connector.ts'
import { TOO_MANY } from '../connectors/exchange.ts'
import { NOT_TAKEN } from '../connectors/outcome.ts'
import { verbs } from '../connectors/verbs.ts'
import type { Operation } from './operation.ts'
import { type AggregateRow, aggregateOf, type Engine, type OutcomeContext } from './verb.ts'

export type Failure = {
  error_code: string
  error_message: string
  unified_code: string
  unified_message: string
  issuer_error_code: string | null
  issuer_error_message: string | null
  network_advice_code: string | null
  /** The standardised code of a known reason, and the members that the deployment's rules add (`accounts/gsm.ts`). */
  standardised_code?: string
  description?: string
  user_guidance_message?: string
}

/** UE_1000: customer or card, UE_2000: configuration, UE_3000: the processor's technology, UE_4000: integration. */
export const unified = {
  UE_1000: 'The payment method was refused. Try another one, or contact its issuer.',
  UE_2000: 'The processor account is not set up for this.',
  UE_3000: 'The processor had a technical problem. Try again later.',
  UE_4000: 'The processor did not accept the request as it was sent.',
  UE_9000: 'Something went wrong.',
} as const

/** For each decline code its family, and the deployment's standardised code, which a rule may replace. */
const reasons: Readonly<Partial<Record<DeclineCode, readonly [family: keyof typeof unified, standardised_code: string | null]>>> = {
  card_declined: ['UE_1000', null],
  payment_declined: ['UE_1000', null],
  insufficient_funds: ['UE_1000', 'insufficient_funds'],
  lost_card: ['UE_1000', 'card_lost_or_stolen'],
  stolen_card: ['UE_1000', 'card_lost_or_stolen'],
  expired_card: ['UE_1000', 'invalid_expiry_date'],
  incorrect_cvc: ['UE_1000', 'invalid_cvv'],
  incorrect_number: ['UE_1000', 'invalid_card_number'],
  incorrect_pin: ['UE_1000', 'incorrect_authentication_code'],
  pin_try_exceeded: ['UE_1000', 'velocity_limit_exceeded'],
  incorrect_address: ['UE_1000', 'pm_address_mismatch'],
  incorrect_zip: ['UE_1000', 'pm_address_mismatch'],
  do_not_honor: ['UE_1000', 'do_not_honor'],
  fraudulent: ['UE_1000', 'suspected_fraud'],
  restricted_card: ['UE_1000', 'card_not_supported_restricted'],
  transaction_not_permitted: ['UE_1000', 'transaction_not_permitted'],
  velocity_exceeded: ['UE_1000', 'velocity_limit_exceeded'],
  revoked: ['UE_1000', 'authorization_missing_or_revoked'],
  authentication_required: ['UE_1000', 'authentication_required'],
  authentication_failed: ['UE_1000', 'authentication_failed'],
  processing_error: ['UE_3000', null],
  not_supported: ['UE_2000', null],
  configuration: ['UE_2000', null],
  invalid_request: ['UE_4000', null],
  not_allowed: ['UE_4000', null],
}

/** The error of a payment that is no sale, and whose money the processor keeps. */
export const NOT_GIVEN_BACK = 'not_given_back'

const plain = (error_code: string, error_message: string, family: keyof typeof unified): Failure => ({
  error_code,
  error_message,
  unified_code: family,
  unified_message: unified[family],
  issuer_error_code: null,
  issuer_error_message: null,
  network_advice_code: null,
})

const technical = (error_code: string, error_message: string): Failure => plain(error_code, error_message, 'UE_3000')

/** The members of a failure that a rule sets; members that the rule leaves null are not set. */
function ruled(rule: GsmRule): Partial<Failure> {
  const { unified_code, unified_message, standardised_code, description, user_guidance_message } = rule
  const texts = { unified_code, unified_message, standardised_code, description, user_guidance_message }
  return Object.fromEntries(Object.entries(texts).filter(([, word]) => word !== null))
}

/** The reason why nothing was voided of a payment that is held. */
export const APPROVED_MEANWHILE = 'the payment was approved meanwhile'

/** The messages for requests that were not sent although the processor could have been reached. */
const unsent: Readonly<Record<string, string>> = {
  [TOO_MANY]: 'Too many requests of this connector account are in progress; nothing was sent. Try again later.',
  [APPROVED_MEANWHILE]: 'The payment was approved while it was being cancelled; nothing was voided. Cancel or refund it.',
  [NOT_TAKEN]: 'The processor is limiting requests and did not take this one; no money has moved. Try again later.',
}

export const failure = {
  of(outcome: Outcome, rule?: GsmRule): Failure {
    switch (outcome.is) {
      case 'declined': {
        const [family, standardised_code] = reasons[outcome.code] ?? ['UE_9000', null]
        const issuer =
          outcome.network_code === undefined ? {} : { issuer_error_code: outcome.network_code, issuer_error_message: outcome.message }
        const declined: Failure = {
          ...plain(outcome.processor_code, outcome.message, family),
          ...issuer,
          network_advice_code: outcome.network_advice ?? null,
          ...(standardised_code !== null && { standardised_code }),
        }
        return rule ? { ...declined, ...ruled(rule) } : declined
      }
      case 'later':
        return technical('not_sent', unsent[NOT_TAKEN]!)
      case 'not_sent':
        return technical('not_sent', unsent[outcome.why] ?? 'The processor could not be reached; nothing was sent.')
      case 'not_found':
        return technical('not_received', 'The processor never received the request.')
      case 'lapsed':
        return technical('lapsed', 'The processor has released the authorized amount.')
      default:
        return plain('unknown', 'The processor has not reported the result.', 'UE_9000')
    }
  },
  /** A failure of its own for payouts: paying out again under another id may pay twice. */
  payoutNotReceived: plain(
    'not_received',
    'The processor does not know this payout. If the request arrives there late, this payout becomes success: retrieve it with force_sync=true before you pay out again under another id.',
    'UE_3000',
  ),
  blocked: plain(
    'HE-03',
    'The payment was blocked: its payment method is on the blocklist, or of a type that the business profile blocks.',
    'UE_1000',
  ),
  partialApproval: (approved: number, { amount }: Operation): Failure =>
    plain(
      'partial_approval',
      `Approved for ${approved} of ${amount}, but partial approval was not requested: the approval is reversed.`,
      'UE_1000',
    ),
  contradicted: ({ verb }: Operation): Failure =>
    technical(
      'IE',
      `The processor's response to the ${verb} has a different amount, currency or reference than the request: check it at the processor.`,
    ),
  secondApproval: (reference: string): Failure =>
    technical(
      'second_approval',
      `The processor approved another attempt of this payment too, as ${reference}: check it there, and refund it if it was paid twice.`,
    ),
  notGivenBack: ({ amount }: Operation): Failure =>
    technical(
      NOT_GIVEN_BACK,
      `The processor has ${amount} that this payment should not have taken, and refuses to return it: resolve this at the processor.`,
    ),
  givenBack: ({ amount }: Operation): Failure =>
    plain('given_back', `The processor had ${amount} that this payment should not have taken, and has returned it.`, 'UE_1000'),
  late: ({ verb }: Operation): Failure =>
    technical('late', `The processor reported the ${verb} as completed after it had been given up: check it at the processor.`),
  outside: ({ of, theirs, ours }: { of: string; theirs: string; ours: string }): Failure =>
    technical('outside', `The processor says ${of} ${theirs}, and ${ours} is known here: check the payment at the processor.`),
  unresolved: ({ verb }: Operation): Failure =>
    technical('unresolved', `The processor has not reported the result of the ${verb} in the time that it is waited for.`),
}

/** The deployment's rule for a decline: by the network's code, else by the processor's code and message (6.6). */
export function declineRule(services: Engine, head: AggregateRow, operation: Operation, outcome: Outcome): OutcomeContext {
  if (outcome.is !== 'declined') return {}
  const { connector, verb } = operation
  const [flow, sub_flow] = verbs[verb].flow
  const find = (code: string, message: string) => services.rules({ connector, flow, sub_flow, code, message })
  const network = aggregateOf(services, operation).network(head)
  const issuer = outcome.network_code
  const byNetwork = network !== null && issuer !== undefined ? `Network:${network}|IssuerCode:${issuer.padStart(2, '0')}` : null
  const rule = (byNetwork === null ? undefined : find(byNetwork, byNetwork)) ?? find(outcome.processor_code, outcome.message)
  return rule ? { rule } : {}
}
