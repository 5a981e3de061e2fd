import Type, { type TSchema } from 'typebox'
import { strictObject } from '../../base/shapes.ts'
import {
  contractShape,
  createDynamic,
  type DynamicKind,
  eliminationShape,
  enableQuery,
  setDynamicShare,
  successBasedShape,
  toggleDynamic,
  updateDynamic,
} from '../../routing/dynamic/dynamic-routing.ts'
import { showRecord } from '../../show/routing.ts'
import { endpoint } from '../endpoint.ts'
import { afterWrite } from './accounts.ts'
import { recordAnswer, shareAnswer } from './routing-answers.ts'

const base = '/account/{merchant_id}/business_profile/{profile_id}/dynamic_routing'

type Definition<S extends TSchema> = {
  title: string
  named: string
  shape: S
  example: { summary: string; value: NoInfer<Type.Static<S>> & object }
}

const operationsOf = <S extends TSchema>(kind: DynamicKind, definition: Definition<S> & { description: string }) => [
  endpoint(`POST ${base}/${kind}/create`, `create${definition.named}`, {
    title: `Create ${definition.title}`,
    description: `${definition.description} Creates the settings and applies \`enable\`.`,
    auth: { credential: 'secret or admin', permission: 'routing:write', scope: 'profile' },
    query: enableQuery,
    body: definition.shape,
    answers: recordAnswer,
    errors: ['busy'],
    example: definition.example,
    json: call => {
      const { service, path, query, body } = call
      return afterWrite(service, createDynamic(call, { profile_id: path.profile_id, kind }, query.enable, body as object, showRecord))
    },
  }),
  endpoint(`POST ${base}/${kind}/toggle`, `toggle${definition.named}`, {
    title: `Switch ${definition.title}`,
    description: `${definition.description} Turns it on, to measuring only, or off, with its existing settings or the defaults.`,
    auth: { credential: 'secret or admin', permission: 'routing:activate', scope: 'profile' },
    query: enableQuery,
    answers: recordAnswer,
    errors: ['busy'],
    json: call => afterWrite(call.service, toggleDynamic(call, { profile_id: call.path.profile_id, kind }, call.query, showRecord)),
  }),
  updateOf(kind, kind, definition),
]

/** `called`: the name of the kind in the address. */
const updateOf = <S extends TSchema>(kind: DynamicKind, called: string, definition: Definition<S>) =>
  endpoint(`PATCH ${base}/${called}/config/{algorithm_id}`, `update${definition.named}`, {
    title: `Change ${definition.title}`,
    description: 'Updates the settings in the body. The result is a new algorithm that replaces the previous one.',
    auth: { credential: 'secret or admin', permission: 'routing:write', scope: 'profile' },
    body: definition.shape,
    answers: recordAnswer,
    errors: ['busy'],
    example: definition.example,
    json: call => afterWrite(call.service, updateDynamic(call, { ...call.path, kind }, call.body as object, showRecord)),
  })

const contracts = {
  title: 'contract-based routing',
  named: 'ContractBasedRouting',
  shape: contractShape,
  example: {
    summary: 'Ten thousand payments until the end of March',
    value: { label_info: [{ label: 'phonypay', mca_id: 'mca_chairs', target_count: 10_000, target_time: 1_900_000_000 }] },
  },
}

export const dynamicRouting = [
  ...operationsOf('success_based', {
    title: 'success-based routing',
    named: 'SuccessBasedRouting',
    description:
      'Success-based routing: payments go first to the connector account with the highest recent success rate for similar payments.',
    shape: successBasedShape,
    example: {
      summary: 'Separate rates by currency and network',
      value: { params: ['Currency', 'CardNetwork'], config: { exploration_percent: 10 } },
    },
  }),
  ...operationsOf('elimination', {
    title: 'elimination',
    named: 'EliminationRouting',
    description: 'Elimination routing: a connector account that does not respond is tried last until it responds again.',
    shape: eliminationShape,
    example: { summary: 'After five unanswered payments', value: { elimination_analyser_config: { bucket_size: 5 } } },
  }),
  endpoint(`POST ${base}/contracts/toggle`, `toggle${contracts.named}`, {
    title: `Switch ${contracts.title}`,
    description:
      'Contract-based routing: connector accounts are promised a number of payments by a date, and payments go first to an account that is behind schedule. Turns it on, to measuring only, or off; contracts in the body are added to the existing ones.',
    auth: { credential: 'secret or admin', permission: 'routing:activate', scope: 'profile' },
    query: enableQuery,
    body: contracts.shape,
    answers: recordAnswer,
    errors: ['busy'],
    example: contracts.example,
    json: call => {
      const { service, path, query, body } = call
      const which = { profile_id: path.profile_id, kind: 'contract_based' } as const
      return afterWrite(service, toggleDynamic(call, which, { ...query, ask: body }, showRecord))
    },
  }),
  updateOf('contract_based', 'contracts', contracts),
  endpoint(`POST ${base}/set_volume_split`, 'setDynamicShare', {
    title: 'Set the traffic share of success-based routing',
    description:
      'Sets the percentage of the business profile’s payments that are ranked by success-based and contract-based routing; the rest follow its routing algorithm unchanged.',
    auth: { credential: 'secret or admin', permission: 'routing:activate', scope: 'profile' },
    query: strictObject({ split: Type.Integer({ minimum: 0, maximum: 100 }) }),
    answers: shareAnswer,
    errors: ['busy'],
    json: call => afterWrite(call.service, setDynamicShare(call, call.path.profile_id, call.query.split)),
  }),
]
