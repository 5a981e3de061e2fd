import Type from 'typebox'
import type { Merchant } from '../../accounts/merchant.ts'
import type { TransactionType } from '../../accounts/routing.ts'
import { refuse } from '../../base/refusal.ts'
import { boundedText, strictObject } from '../../base/shapes.ts'
import { evaluateRouting, evaluateShape } from '../../payments/routing/evaluate-routing.ts'
import { feedbackShape, recordExternalResult } from '../../payments/routing/external-payments.ts'
import { simulateRouting, simulateShape } from '../../payments/routing/simulate-routing.ts'
import { activateAlgorithm, activationShape, activeAlgorithms, deactivateAlgorithm } from '../../routing/activate.ts'
import {
  createAlgorithm,
  listAlgorithms,
  MOST_ALGORITHMS,
  needAlgorithm,
  routingShape,
  withNumber,
  withNumbers,
} from '../../routing/algorithms.ts'
import { fallbackOf, fallbackShape, setFallback } from '../../routing/fallback.ts'
import { historyOfRouting } from '../../routing/history.ts'
import { evaluateRule, ruleEvaluateShape } from '../../routing/rule-evaluate.ts'
import {
  showActivation,
  showAlgorithm,
  showChoices,
  showDynamic,
  showGateways,
  showKeys,
  showRecord,
  showRouted,
  showRuleEvaluated,
} from '../../show/routing.ts'
import { sized } from '../answer-shapes.ts'
import { type ApiRequest, endpoint, tagged } from '../endpoint.ts'
import { narrowedTo, roleHoldsFor } from '../profile-header.ts'
import { afterWrite } from './accounts.ts'
import { dynamicRouting } from './dynamic-routing.ts'
import {
  algorithmAnswer,
  choiceAnswer,
  evaluatedAnswer,
  fallbackAnswer,
  feedbackAnswer,
  historyAnswer,
  keysAnswer,
  recordAnswer,
  ruleEvaluatedAnswer,
  simulatedAnswer,
} from './routing-answers.ts'

/** Returns the profile of a request whose body has no member for it: the header's, else the merchant's default. */
const profileOf = ({ headers, merchant }: Pick<ApiRequest, 'headers'> & { merchant: Merchant }): string =>
  narrowedTo(headers) ?? merchant.default_profile ?? refuse('missing', { field: 'profile_id' })

const visa = {
  name: 'visa to one account, the rest split',
  connectorSelection: { type: 'priority', data: [{ connector: 'phonypay' }] },
  statements: [
    {
      condition: [
        { lhs: 'card_network', comparison: 'equal', value: { type: 'enum_variant', value: 'Visa' } },
        { lhs: 'amount', comparison: 'greater_than', value: { type: 'number', value: 5000 } },
      ],
    },
  ],
}
const defaultSelection = { type: 'volume_split', data: [{ connector: { connector: 'phonypay' }, split: 100 }] }
const advanced = { type: 'advanced', data: { defaultSelection, rules: [visa], metadata: {} } }

const profile_id = Type.Optional(boundedText(64))

const showFallback = (profile_id: string, order: Parameters<typeof showChoices>[0]) => ({ profile_id, connectors: showChoices(order) })

/** Returns the names and addresses of the routing operations: for payments, and the same for payouts. */
const namesOf = (of: TransactionType) => ({
  at: of === 'payout' ? '/payouts' : '',
  called: (name: string) => (of === 'payout' ? name.replace(/Routing|Fallback/, 'Payout$&') : name),
  titled: (title: string) => (of === 'payout' ? `${title} (payouts)` : title),
})

function algorithms(of: TransactionType) {
  const { at, called, titled } = namesOf(of)
  return [
    endpoint(`POST /routing${at}`, called('createRouting'), {
      title: titled('Create a routing algorithm'),
      description: `Creates a routing algorithm. It applies to no ${of} until it is activated, and it cannot be changed: create a new one instead.`,
      auth: { credential: 'secret', permission: 'routing:write', scope: 'profile' },
      body: routingShape,
      choosesProfile: true,
      answers: recordAnswer,
      errors: ['not_supported', 'not_found'],
      example: {
        summary: 'Rules',
        value: { name: 'rules of March', description: 'Visa first', profile_id: 'pro_default', algorithm: advanced },
      },
      json: call => createAlgorithm(call, call.body, of === 'payout' ? of : (call.body.transaction_type ?? of), showRecord),
    }),
    endpoint(`GET /routing${at}`, called('listRouting'), {
      title: titled('List routing algorithms'),
      description: 'Lists the routing algorithms of the merchant or of one business profile, newest first.',
      auth: { credential: 'secret', permission: 'routing:read', scope: 'profile' },
      query: strictObject({
        limit: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_ALGORITHMS, description: `Default ${MOST_ALGORITHMS}` })),
        offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
        profile_id,
      }),
      answers: Type.Array(recordAnswer),
      errors: ['not_found'],
      json: async call => (await withNumbers(call, await listAlgorithms(call, of, call.query, roleHoldsFor(call.who)))).map(showRecord),
    }),
    endpoint(`GET /routing${at}/active`, called('retrieveActiveRouting'), {
      title: titled('Retrieve active routing algorithms'),
      description: 'Lists the active routing algorithm of each business profile, or of one.',
      auth: { credential: 'secret', permission: 'routing:read', scope: 'profile' },
      query: strictObject({ profile_id }),
      answers: Type.Array(recordAnswer),
      errors: ['not_found'],
      json: async call => (await withNumbers(call, await activeAlgorithms(call, of, call.query.profile_id))).map(showRecord),
    }),
    endpoint(`GET /routing${at}/history`, of === 'payout' ? 'payoutRoutingHistory' : 'routingHistory', {
      sdk: of === 'payout' ? 'routing.payoutHistory' : 'routing.history',
      title: titled('List when routing algorithms were active'),
      description:
        'Lists the routing algorithms that have been active in a business profile (default: the merchant’s only one), newest first, with who activated each and why. Between two of them, payments followed the fallback order.',
      auth: { credential: 'secret', permission: 'routing:read', scope: 'profile' },
      query: strictObject({ profile_id }),
      answers: historyAnswer,
      errors: ['not_found'],
      json: async call => (await historyOfRouting(call, of, call.query.profile_id ?? profileOf(call))).map(showActivation),
    }),
    endpoint(`GET /routing${at}/{routing_algorithm_id}`, called('retrieveRouting'), {
      title: titled('Retrieve a routing algorithm'),
      description: 'Retrieves a routing algorithm.',
      auth: { credential: 'secret', permission: 'routing:read', scope: 'profile' },
      answers: algorithmAnswer,
      json: async call => showAlgorithm(await withNumber(call, await needAlgorithm(call, call.path.routing_algorithm_id))),
    }),
  ]
}

function activation(of: TransactionType) {
  const { at, called, titled } = namesOf(of)
  return [
    endpoint(`POST /routing${at}/{routing_algorithm_id}/activate`, called('activateRouting'), {
      title: titled('Activate a routing algorithm'),
      description: `Activates a routing algorithm for the ${of}s of its business profile and deactivates the previous one.`,
      auth: { credential: 'secret', permission: 'routing:activate', scope: 'profile' },
      body: activationShape,
      answers: recordAnswer,
      errors: ['precondition', 'busy'],
      example: { summary: 'With the reason', value: { reason: 'More cards are approved there' } },
      json: call => afterWrite(call.service, activateAlgorithm(call, call.path.routing_algorithm_id, of, call.body, showRecord)),
    }),
    endpoint(`POST /routing${at}/deactivate`, called('deactivateRouting'), {
      title: titled('Deactivate routing'),
      description: `Deactivates routing for the ${of}s of a business profile, which then follow only its fallback order.`,
      auth: { credential: 'secret', permission: 'routing:activate', scope: 'profile' },
      body: strictObject({ profile_id: boundedText(64) }),
      choosesProfile: true,
      answers: recordAnswer,
      errors: ['not_found', 'busy'],
      example: { summary: 'For one profile', value: { profile_id: 'pro_default' } },
      json: call => afterWrite(call.service, deactivateAlgorithm(call, call.body.profile_id, of, showRecord)),
    }),
  ]
}

/** The fallback order: the order in which accounts are tried if no algorithm decides. */
function fallbacks(of: TransactionType) {
  const { at, called, titled } = namesOf(of)
  return [
    endpoint(`GET /routing${at}/default`, called('retrieveFallback'), {
      title: titled('Retrieve the fallback order'),
      description:
        'Retrieves the order in which a business profile’s connector accounts (X-Profile-Id, or the default profile) are tried when no routing algorithm applies.',
      auth: { credential: 'secret', permission: 'routing:read', scope: 'profile' },
      answers: Type.Array(choiceAnswer),
      json: async call => showChoices(await fallbackOf(call, of, profileOf(call))),
    }),
    endpoint(`POST /routing${at}/default`, called('setFallback'), {
      title: titled('Set the fallback order'),
      description:
        'Sets the fallback order of a business profile’s connector accounts (X-Profile-Id, or the default profile). Each enabled account must be listed exactly once.',
      auth: { credential: 'secret', permission: 'routing:activate', scope: 'profile' },
      body: fallbackShape,
      answers: Type.Array(choiceAnswer),
      errors: ['not_found', 'busy'],
      example: { summary: 'One account', value: [{ connector: 'phonypay' }] },
      json: call => afterWrite(call.service, setFallback(call, of, profileOf(call), call.body, showChoices)),
    }),
    endpoint(`GET /routing${at}/default/profile`, called('retrieveFallbacks'), {
      title: titled('Retrieve the fallback orders'),
      description: 'Lists the fallback order of each business profile.',
      auth: { credential: 'secret', permission: 'routing:read', scope: 'profile' },
      answers: Type.Array(fallbackAnswer),
      json: call => Promise.all(call.merchant.profiles.map(async ({ profile_id: id }) => showFallback(id, await fallbackOf(call, of, id)))),
    }),
    endpoint(`POST /routing${at}/default/profile/{profile_id}`, called('setFallbackOfProfile'), {
      title: titled('Set the fallback order of a profile'),
      description: 'Sets the fallback order of a business profile’s connector accounts. Each enabled account must be listed exactly once.',
      auth: { credential: 'secret', permission: 'routing:activate', scope: 'profile' },
      body: fallbackShape,
      answers: fallbackAnswer,
      errors: ['busy'],
      example: { summary: 'One account', value: [{ connector: 'phonypay' }] },
      json: call => {
        const { profile_id: id } = call.path
        return afterWrite(
          call.service,
          setFallback(call, of, id, call.body, order => showFallback(id, order)),
        )
      },
    }),
  ]
}

export const routingRoutes = tagged(
  'Routing',
  `Routing selects the connector account for each payment. Create an algorithm, test it (evaluate one payment, simulate a period), and activate it for a business profile.

- \`single\`: one connector. \`priority\`: several, in this order. \`volume_split\`: shares; the same payment is always assigned to the same connector.
- \`advanced\`: rules. The first rule that matches decides, otherwise \`defaultSelection\`. A rule matches if one of its \`statements\` matches; a statement, if all comparisons of its \`condition\` match and, if it has \`nested\` statements, one of those. A comparison has \`lhs\`, \`comparison\` (equal, not_equal, less_than, less_than_equal, greater_than, greater_than_equal) and \`value\` (\`number\`, \`number_array\`, \`number_comparison_array\`, \`enum_variant\`, \`enum_variant_array\`, \`str_value\`, \`metadata_variant\`). A value that the payment does not have equals nothing.
- Select a connector by its name, which includes all of its accounts, or add a \`merchant_connector_id\`.
- Accounts that cannot process the payment (method, network, currency, country, amount, capture method) are excluded; the profile's other accounts follow in its fallback order. Each attempt of a payment shows its routing decision (\`routing\`).
- Payouts have their own algorithms and fallback order, under \`/routing/payouts\`.`,
  { confidential: 'personal data', sdk: ['routing', 'Routing'] },
  [
    ...(['payment', 'payout'] as const).flatMap(of => [...algorithms(of), ...activation(of), ...fallbacks(of)]),
    endpoint('GET /routing/keys', 'listRoutingKeys', {
      title: 'List routing keys',
      description: 'Lists what a rule can compare (`lhs`), and with which values.',
      auth: { credential: 'secret', permission: 'routing:read', scope: 'profile' },
      query: strictObject({}),
      answers: keysAnswer,
      json: () => sized(showKeys()),
    }),
    endpoint('POST /routing/evaluate', 'evaluateRouting', {
      title: 'Evaluate routing for a payment',
      reads: true,
      description:
        'Evaluates routing for an existing or a described payment: which connector accounts would be tried, in which order, and why each of the others is excluded. Uses the active algorithm, another stored one, or an unsaved one. Nothing is changed; a payment processed outside this service (`paymentInfo`) is stored for a week, so that `POST /routing/feedback` can report its result.',
      auth: { credential: 'secret', permission: 'routing:simulate', scope: 'profile', ids: ['payment_id'] },
      body: evaluateShape,
      choosesProfile: true,
      answers: evaluatedAnswer,
      errors: ['not_found', 'not_supported'],
      example: {
        summary: 'A described payment',
        value: { amount: 12_950, currency: 'USD', payment_method_type: 'credit', card_network: 'Visa', billing_country: 'US' },
      },
      json: async call => {
        const { routingContext, routed, attempt } = await evaluateRouting(call, call.body)
        return {
          payment_id: routingContext.payment_id === '' ? null : routingContext.payment_id,
          profile_id: routingContext.profile_id,
          ...showRouted(call.merchant, routed, routingContext),
          dynamic_routing: showDynamic(call.merchant.routing.get(routingContext.profile_id)?.row),
          attempt: attempt && showRouted(call.merchant, attempt),
          ...showGateways(call.merchant, routed),
        }
      },
    }),
    endpoint('POST /routing/feedback', 'routingFeedback', {
      sdk: 'routing.feedback',
      title: 'Report the outcome of a routed payment',
      description:
        'Reports the result of a payment that was processed outside this service and sent to `POST /routing/evaluate` (`paymentInfo`) within the last week. Success-based routing and elimination count it like a payment processed here, once for each account. Payments processed here are counted from their processor responses.',
      auth: { credential: 'secret', permission: 'routing:write', scope: 'merchant' },
      body: feedbackShape,
      answers: feedbackAnswer,
      errors: ['not_found'],
      example: {
        summary: 'The payment was charged',
        value: { merchantId: 'chairs', paymentId: 'order-1', gateway: 'phonypay', status: 'CHARGED' },
      },
      json: call => recordExternalResult(call, call.body, narrowedTo(call.headers)),
    }),
    endpoint('POST /routing/rule/evaluate', 'evaluateRule', {
      title: 'Evaluate routing rules',
      reads: true,
      description:
        'Evaluates a business profile’s active routing algorithm for a set of payment parameters. Parameters that are not sent match no condition. Nothing is changed.',
      auth: { credential: 'secret', permission: 'routing:simulate', scope: 'profile' },
      body: ruleEvaluateShape,
      answers: ruleEvaluatedAnswer,
      errors: ['not_found'],
      example: {
        summary: 'A Visa card',
        value: {
          created_by: 'pro_default',
          parameters: { amount: { type: 'number', value: 12_950 }, card_network: { type: 'enum_variant', value: 'Visa' } },
          fallback_output: [],
        },
      },
      json: ({ merchant, body, headers }) => showRuleEvaluated(evaluateRule(merchant, body, narrowedTo(headers))),
    }),
    endpoint('POST /routing/simulate', 'simulateRouting', {
      title: 'Simulate routing',
      reads: true,
      description:
        'Simulates an active, stored or unsaved routing algorithm over the payments of a period: how many payments each connector would have received, which would have been routed differently, and how often each connector succeeded for the same network, currency and country. Nothing is changed.',
      auth: { credential: 'secret', permission: 'routing:simulate', scope: 'profile' },
      body: simulateShape,
      choosesProfile: true,
      answers: simulatedAnswer,
      errors: ['not_found', 'not_supported'],
      example: { summary: 'Since the first of March', value: { start_time: '2026-03-01T00:00:00Z', algorithm: advanced } },
      json: call => simulateRouting(call, call.body),
    }),
    ...dynamicRouting,
  ],
)
