import Type, { type TSchema } from 'typebox'
import { contractShape } from '../../routing/contract.ts'
import { eliminationShape, successBasedShape } from '../../routing/dynamic.ts'
import type { DynamicKind } from '../../routing/dynamic-kinds.ts'
import { createDynamic, enableQuery, setDynamicShare, toggleDynamic, updateDynamic } from '../../routing/switch.ts'
import { showRecord } from '../../show/routing.ts'
import { endpoint } from '../endpoint.ts'
import { written } from './accounts.ts'
import { recordAnswer, shareAnswer } from './routing-answers.ts'

const base = '/account/{merchant_id}/business_profile/{profile_id}/dynamic_routing'

type Said<S extends TSchema> = {
  title: string
  named: string
  shape: S
  example: { summary: string; value: NoInfer<Type.Static<S>> & object }
}

/** The three operations of one kind of dynamic routing. */
const operationsOf = <S extends TSchema>(kind: DynamicKind, said: Said<S> & { does: string }) => [
  endpoint({
    method: 'POST',
    path: `${base}/${kind}/create`,
    name: `create${said.named}`,
    title: `Create ${said.title}`,
    does: `${said.does} Makes the settings, and switches it as \`enable\` says.`,
    takes: 'secret or admin',
    query: enableQuery,
    body: said.shape,
    answers: recordAnswer,
    refuses: ['busy'],
    example: said.example,
    run: ({ service, context, merchant, path, query, body }) =>
      written(service, createDynamic(context, merchant, { profile_id: path.profile_id, kind }, query.enable, body as object, showRecord)),
  }),
  endpoint({
    method: 'POST',
    path: `${base}/${kind}/toggle`,
    name: `toggle${said.named}`,
    title: `Switch ${said.title}`,
    does: `${said.does} Switches it on, to measuring only, or off; with the settings that it has, or with the usual ones.`,
    takes: 'secret or admin',
    query: enableQuery,
    answers: recordAnswer,
    refuses: ['busy'],
    run: ({ service, context, merchant, path, query }) =>
      written(service, toggleDynamic(context, merchant, { profile_id: path.profile_id, kind }, query, showRecord)),
  }),
  updateOf(kind, kind, said),
]

/** Its settings are changed. `called`: what the kind is called in the address. */
const updateOf = <S extends TSchema>(kind: DynamicKind, called: string, said: Said<S>) =>
  endpoint({
    method: 'PATCH',
    path: `${base}/${called}/config/{algorithm_id}`,
    name: `update${said.named}`,
    title: `Change ${said.title}`,
    does: 'Changes settings: those that the body names. They become an algorithm of their own, which takes the place of the old one.',
    takes: 'secret or admin',
    body: said.shape,
    answers: recordAnswer,
    refuses: ['busy'],
    example: said.example,
    run: ({ service, context, merchant, path: { profile_id, algorithm_id }, body }) =>
      written(service, updateDynamic(context, merchant, { profile_id, kind, algorithm_id }, body as object, showRecord)),
  })

const contracts = {
  title: 'contract-based routing',
  named: 'ContractBasedRouting',
  shape: contractShape,
  example: {
    summary: 'Ten thousand payments are promised until the end of March',
    value: { label_info: [{ label: 'phonypay', mca_id: 'mca_chairs', target_count: 10_000, target_time: 1_900_000_000 }] },
  },
}

export const dynamicRouting = [
  ...operationsOf('success_based', {
    title: 'success-based routing',
    named: 'SuccessBasedRouting',
    does: 'Payments go first to the connector account with which payments like them succeeded most often of late.',
    shape: successBasedShape,
    example: {
      summary: 'Counted apart by currency and network',
      value: { params: ['Currency', 'CardNetwork'], config: { exploration_percent: 10 } },
    },
  }),
  ...operationsOf('elimination', {
    title: 'elimination',
    named: 'EliminationRouting',
    does: 'A connector account that does not answer is tried last until it answers again.',
    shape: eliminationShape,
    example: { summary: 'After five unanswered payments', value: { elimination_analyser_config: { bucket_size: 5 } } },
  }),
  endpoint({
    method: 'POST',
    path: `${base}/contracts/toggle`,
    name: `toggle${contracts.named}`,
    title: `Switch ${contracts.title}`,
    does: 'So many payments are promised to connector accounts until a day. Payments go first to an account that is behind the pace that this needs. Switches it on, to measuring only, or off; what the body says is added to the contracts that there are.',
    takes: 'secret or admin',
    query: enableQuery,
    body: contracts.shape,
    answers: recordAnswer,
    refuses: ['busy'],
    example: contracts.example,
    run: ({ service, context, merchant, path: { profile_id }, query: { enable }, body }) =>
      written(service, toggleDynamic(context, merchant, { profile_id, kind: 'contract_based' }, { enable, ask: body }, showRecord)),
  }),
  updateOf('contract_based', 'contracts', contracts),
  endpoint({
    method: 'POST',
    path: `${base}/set_volume_split`,
    name: 'setDynamicShare',
    title: 'Set the traffic share of success-based routing',
    does: 'Of a hundred payments of the business profile, so many are ranked by success and by contracts; the others go by its algorithm as it stands.',
    takes: 'secret or admin',
    query: Type.Object({ split: Type.Integer({ minimum: 0, maximum: 100 }) }, { additionalProperties: false }),
    answers: shareAnswer,
    refuses: ['busy'],
    run: ({ service, context, merchant, path, query }) =>
      written(service, setDynamicShare(context, merchant, path.profile_id, query.split)),
  }),
]
