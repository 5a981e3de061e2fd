import Type from 'typebox'
import {
  createRule,
  deleteRule,
  type GsmRule,
  gsmCreateShape,
  gsmKeyShape,
  gsmListQuery,
  gsmUpdateShape,
  listRules,
  needRule,
  updateRule,
} from '../../accounts/gsm.ts'
import { flag, listSchema, open, schema, sized, text, texts } from '../answer-shapes.ts'
import { operator } from '../auth.ts'
import { endpoint, tagged } from '../endpoint.ts'
import { afterWrite } from './accounts.ts'

/** `feature_data` repeats the flat members (contract 6.6). */
function showRule(rule: GsmRule): Record<string, unknown> {
  const { merchant_id: _ours, rule_id: _key, version: _count, deleted: _gone, created: _made, modified_at: _changed, ...shown } = rule
  const { alternate_network_possible, ...flat } = shown
  const { step_up_possible, clear_pan_possible, decision } = flat
  return {
    ...flat,
    feature: 'retry',
    feature_data: { retry: { step_up_possible, clear_pan_possible, alternate_network_possible, decision } },
  }
}

const showDeletedRule = ({ connector, flow, sub_flow, code }: GsmRule) => ({ gsm_rule_delete: true, connector, flow, sub_flow, code })

const ruleAnswer = schema('GsmRule', {
  ...Object.fromEntries('connector flow sub_flow code message status'.split(' ').map(name => [name, text])),
  ...texts('router_error unified_code unified_message error_category standardised_code description user_guidance_message'),
  decision: Type.Enum(['retry', 'do_default']),
  step_up_possible: flag,
  clear_pan_possible: flag,
  feature: Type.Enum(['retry']),
  feature_data: open,
})

const key = {
  connector: 'phonypay',
  flow: 'Payment',
  sub_flow: 'Authorize',
  code: 'do_not_try_again',
  message: 'The issuer does not accept this card.',
}

export const gsmRoutes = tagged(
  'Error rules',
  'Rules that map processor errors (connector, flow, code and message, all matched exactly) to unified codes and a decision; GSM in the ecosystem. `decision: retry` allows an authorization to be retried on another connector account if the profile has `is_auto_retries_enabled`; `step_up_possible` allows a retry with 3-D Secure. An `issuer` code of a network is written `Network:Visa|IssuerCode:05`, in both `code` and `message`, and takes precedence.',
  { confidential: 'personal data', sdk: ['errorRules', 'GsmRule'] },
  [
    endpoint('POST /gsm', 'createGsmRule', {
      title: 'Create an error rule',
      description: 'Creates a rule.',
      auth: operator,
      body: gsmCreateShape,
      answers: ruleAnswer,
      errors: ['taken'],
      example: {
        summary: 'A decline that is not retried',
        value: {
          ...key,
          status: 'Failure',
          decision: 'do_default',
          step_up_possible: false,
          clear_pan_possible: false,
          unified_code: 'UE_1000',
          unified_message: 'The payment method was refused.',
          error_category: 'hard_decline',
        },
      },
      json: ({ service, context, body }) => afterWrite(service, createRule(context, body, showRule)),
    }),
    endpoint('POST /gsm/get', 'retrieveGsmRule', {
      title: 'Retrieve an error rule',
      reads: true,
      description: 'Retrieves the rule of a connector, flow, code and message.',
      auth: { credential: 'admin', permission: 'routing:read', scope: 'profile' },
      body: gsmKeyShape,
      answers: ruleAnswer,
      errors: ['unknown'],
      example: { summary: 'By its key', value: key },
      json: async ({ context, body }) => showRule(await needRule(context, body as typeof key)),
    }),
    endpoint('GET /gsm/list', 'listGsmRules', {
      title: 'List error rules',
      description:
        'Lists all rules, or those of one connector, sorted by their keys. The rules are the operator’s and apply to all merchants, so any merchant can read them.',
      auth: { credential: 'secret or admin', permission: 'routing:read', scope: 'profile' },
      query: gsmListQuery,
      answers: listSchema('GsmRules', ruleAnswer),
      json: async ({ context, query }) => sized((await listRules(context, query)).map(showRule)),
    }),
    endpoint('POST /gsm/update', 'updateGsmRule', {
      title: 'Update an error rule',
      description: 'Updates a rule; `router_error` is cleared unless it is sent again.',
      auth: operator,
      body: gsmUpdateShape,
      answers: ruleAnswer,
      errors: ['unknown'],
      example: { summary: 'Retries with another connector', value: { ...key, decision: 'retry' } },
      json: ({ service, context, body }) => afterWrite(service, updateRule(context, body, showRule)),
    }),
    endpoint('POST /gsm/delete', 'deleteGsmRule', {
      title: 'Delete an error rule',
      description: 'Deletes a rule; matching errors then only carry the connector’s own message.',
      auth: operator,
      body: gsmKeyShape,
      answers: schema('DeletedGsmRule', { gsm_rule_delete: flag, connector: text, flow: text, sub_flow: text, code: text }),
      errors: ['unknown'],
      example: { summary: 'By its key', value: key },
      json: ({ service, context, body }) => afterWrite(service, deleteRule(context, body as typeof key, showDeletedRule)),
    }),
  ],
)
