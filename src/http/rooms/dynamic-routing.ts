import Type, { type TSchema } from 'typebox'
import { eliminationShape, successBasedShape } from '../../routing/dynamic.ts'
import type { DynamicKind } from '../../routing/dynamic-kinds.ts'
import { createDynamic, enableQuery, setDynamicShare, toggleDynamic, updateDynamic } from '../../routing/switch.ts'
import { showRecord } from '../../show/routing.ts'
import { endpoint } from '../endpoint.ts'
import { written } from './accounts.ts'
import { recordAnswer, shareAnswer } from './routing-answers.ts'

const base = '/account/{merchant_id}/business_profile/{profile_id}/dynamic_routing'

/** The three operations of one kind of dynamic routing. */
const operationsOf = <S extends TSchema>(
  kind: DynamicKind,
  said: { title: string; named: string; does: string; shape: S; example: { summary: string; value: NoInfer<Type.Static<S>> & object } },
) => [
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
    run: ({ service, world, merchant, path, query, body }) =>
      written(service, createDynamic(world, merchant, { profile_id: path.profile_id, kind }, query.enable, body as object, showRecord)),
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
    run: ({ service, world, merchant, path, query }) =>
      written(service, toggleDynamic(world, merchant, { profile_id: path.profile_id, kind }, query.enable, showRecord)),
  }),
  endpoint({
    method: 'PATCH',
    path: `${base}/${kind}/config/{algorithm_id}`,
    name: `update${said.named}`,
    title: `Change ${said.title}`,
    does: 'Changes settings: those that the body names. They become an algorithm of their own, which takes the place of the old one.',
    takes: 'secret or admin',
    body: said.shape,
    answers: recordAnswer,
    refuses: ['busy'],
    example: said.example,
    run: ({ service, world, merchant, path: { profile_id, algorithm_id }, body }) =>
      written(service, updateDynamic(world, merchant, { profile_id, kind, algorithm_id }, body as object, showRecord)),
  }),
]

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
    path: `${base}/set_volume_split`,
    name: 'setDynamicShare',
    title: 'Set the share of success-based routing',
    does: 'Of a hundred payments of the business profile, so many are ranked by success; the others go by its algorithm as it stands.',
    takes: 'secret or admin',
    query: Type.Object({ split: Type.Integer({ minimum: 0, maximum: 100 }) }, { additionalProperties: false }),
    answers: shareAnswer,
    refuses: ['busy'],
    run: ({ service, world, merchant, path, query }) => written(service, setDynamicShare(world, merchant, path.profile_id, query.split)),
  }),
]
