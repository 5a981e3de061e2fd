import Type from 'typebox'
import { chooseProfile } from '../../accounts/choose-profile.ts'
import type { Merchant } from '../../accounts/merchant.ts'
import type { ProfileRouting, RoutingAlgorithmRow } from '../../accounts/routing.ts'
import { countries } from '../../base/countries.ts'
import { LARGEST_AMOUNT } from '../../base/money.ts'
import { refuse } from '../../base/refusal.ts'
import { boundedText, metadata, shortText, strictObject } from '../../base/shapes.ts'
import { familyNamed } from '../../instruments/families.ts'
import { paymentMethodNames, paymentMethodTypes } from '../../instruments/methods.ts'
import { networks } from '../../instruments/networks.ts'
import { findOperations, type Operation } from '../../operations/operation.ts'
import { algorithmShape, needAlgorithm, needProfile, newAlgorithm } from '../../routing/algorithms.ts'
import { unsaid } from '../../routing/change.ts'
import { decide, type Routed, routedOf } from '../../routing/decide.ts'
import { checkChoices, checkRequest, enabledIn } from '../../routing/known.ts'
import { readAlgorithm, readRequestRouting } from '../../routing/read.ts'
import { plainRoutingContext, type RoutingContext } from '../../routing/routing-context.ts'
import { currency } from '../fields/order.ts'
import { ownerOf, type Payment } from '../payment.ts'
import { needPayment } from '../rows.ts'
import type { UseCaseCall } from '../services.ts'
import { noteElsewhere } from './external-payments.ts'
import { checkMerchantId, infoMembers, routingAsked, wishOfInfo } from './payment-info.ts'
import { routingContextOf } from './routing-context.ts'

/** The algorithm to use: a stored one, or one that is only tried out. With neither, the active one. */
export const byAlgorithm = {
  algorithm_id: Type.Optional(boundedText(64)),
  algorithm: Type.Optional(algorithmShape),
}

const country = Type.Optional(Type.Enum(countries))
const amount = Type.Integer({ minimum: 0, maximum: LARGEST_AMOUNT, description: 'With shipping, tax and surcharge' })

export const evaluateShape = strictObject({
  payment_id: Type.Optional(Type.String({ description: 'An existing payment; all other values are taken from it' })),
  at: Type.Optional(
    Type.Enum(['now', 'attempt'], {
      description: 'With a payment_id: evaluates routing as of now (default), or with the algorithm and account health of its last attempt',
    }),
  ),
  profile_id: Type.Optional(boundedText(64)),
  ...byAlgorithm,
  amount: Type.Optional(amount),
  currency: Type.Optional(currency),
  capture_method: Type.Optional(Type.Enum(['automatic', 'manual', 'manual_multiple', 'scheduled', 'sequential_automatic'])),
  authentication_type: Type.Optional(Type.Enum(['three_ds', 'no_three_ds'])),
  payment_method: Type.Optional(Type.Enum(paymentMethodNames)),
  payment_method_type: Type.Optional(Type.Enum(paymentMethodTypes)),
  card_network: Type.Optional(Type.Enum(networks)),
  card_bin: Type.Optional(Type.String({ pattern: '^\\d{6}$' })),
  extended_card_bin: Type.Optional(Type.String({ pattern: '^\\d{8}$' })),
  issuer_name: Type.Optional(shortText),
  issuer_country: country,
  billing_country: country,
  business_country: country,
  business_label: Type.Optional(shortText),
  customer_id: Type.Optional(boundedText(64)),
  setup_future_usage: Type.Optional(Type.Enum(['off_session', 'on_session'])),
  metadata: Type.Optional(metadata),
  connector: Type.Optional(Type.Array(boundedText(64), { description: 'Only these connectors may be used' })),
  routing: Type.Optional(Type.Unknown({ description: "The payment's own routing" })),
  ...infoMembers,
})
export type EvaluateAsk = Type.Static<typeof evaluateShape>

/** `attempt`: the routing of the payment's last attempt, null without one. */
export type Evaluated = { routingContext: RoutingContext; routed: Routed; attempt: Routed | null }

/**
 * Returns the accounts that routing would select for a payment, in order, and why it excludes others, without creating
 * a payment. A volume split is drawn by the payment's id; a described payment always gets the same draw. Stores only
 * what feedback on an external payment needs (`external-payments.ts`).
 */
export async function evaluateRouting({ context, merchant, services }: UseCaseCall, ask: EvaluateAsk): Promise<Evaluated> {
  const payment = ask.payment_id === undefined ? null : await needPayment(context, merchant.merchant_id, ask.payment_id)
  checkMerchantId(merchant, ask)
  if (payment) checkAlone(payment, ask)
  const routingContext = payment ? routingContextOf(payment) : described(merchant, ask)
  const attempt = payment ? lastAttempt(await findOperations(context, ownerOf(payment))) : null
  if (ask.at !== 'attempt') {
    if (ask.paymentInfo) await noteElsewhere({ context, merchant, services }, routingContext)
    const routing = routingAsked(await routingBy(context, merchant, routingContext.profile_id, ask), ask)
    return {
      routingContext,
      attempt,
      routed: routedOf(decide(merchant, routingContext, services.health.look(merchant, routingContext), routing)),
    }
  }
  const then = attempt ?? refuse('precondition', { problem: 'at can only be attempt for a payment that has been authorized' })
  const decision = decide(
    merchant,
    routingContext,
    then.dynamic?.health ?? null,
    await routingThen(context, merchant, routingContext.profile_id, then),
  )
  // Dynamic routing that only measured at that time decided nothing, but is shown too.
  return { routingContext, attempt, routed: routedOf({ ...decision, dynamic: decision.dynamic ?? then.dynamic ?? null }) }
}

const lastAttempt = (operations: readonly Operation[]): Routed | null =>
  operations.findLast(one => one.verb === 'authorize')?.routing ?? null

/** Refuses members beside a payment_id that would contradict the payment, or have no effect. */
function checkAlone({ profile_id }: Payment, ask: EvaluateAsk): void {
  const how = ['algorithm_id', 'algorithm', 'rankingAlgorithm', 'eliminationEnabled']
  const allowed = ['payment_id', 'at', 'profile_id', 'merchantId', ...(ask.at === 'attempt' ? [] : how)]
  for (const name of Object.keys(ask))
    if (!allowed.includes(name))
      refuse('unacceptable', { field: name, problem: 'cannot be sent with payment_id: it is taken from that payment' })
  if (ask.profile_id !== undefined && ask.profile_id !== profile_id)
    refuse('unacceptable', { field: 'profile_id', problem: 'does not match the profile of the payment' })
}

function described(merchant: Merchant, ask: EvaluateAsk): RoutingContext {
  if (ask.at !== undefined) refuse('unacceptable', { field: 'at', problem: 'requires payment_id' })
  const { routing, paymentInfo: info, eligibleGatewayList: gateways } = ask
  const known = Object.fromEntries(Object.entries(ask).filter(([name]) => name in plainRoutingContext))
  const own = routing === undefined ? null : readRequestRouting(routing)
  if (own) checkRequest(merchant, own)
  const routingContext: RoutingContext = {
    ...plainRoutingContext,
    payment_method: 'card',
    authentication_type: 'three_ds',
    payment_type: 'normal',
    transaction_initiator: 'customer',
    ...known,
    ...(info ? wishOfInfo(info) : { payment_id: '' }),
    ...(gateways && { connector: gateways.map(one => one.split(':')[0]!) }),
    profile_id: chooseProfile(merchant, ask).profile_id,
    amount: info?.amount ?? ask.amount ?? refuse('missing', { field: 'amount' }),
    currency: info?.currency ?? ask.currency ?? refuse('missing', { field: 'currency' }),
    routing: own,
  }
  return { ...routingContext, family: familyNamed(routingContext.payment_method ?? undefined)?.is ?? null }
}

type By = { algorithm_id?: string | undefined; algorithm?: unknown }

/** Returns the profile's routing as it was. Algorithms never change, so their ids give their contents. */
async function routingThen(context: UseCaseCall['context'], merchant: Merchant, profile_id: string, then: Routed): Promise<ProfileRouting> {
  const find = async (id: string | null | undefined) => (id == null ? null : await needAlgorithm({ context, merchant }, id))
  const now = merchant.routing.get(profile_id)?.row ?? unsaid(merchant.merchant_id, profile_id, context.now())
  const { dynamic } = then
  const used = (id: string | null | undefined) =>
    id == null ? null : ({ algorithm_id: id, enabled: 'dynamic_connector_selection' } as const)
  return {
    row: {
      ...now,
      success_based: used(dynamic?.success_based),
      contract_based: used(dynamic?.contract_based),
      elimination: used(dynamic?.elimination),
      dynamic_share: dynamic?.share ?? now.dynamic_share,
    },
    active: await find(then.algorithm_id),
    success_based: await find(dynamic?.success_based),
    contract_based: await find(dynamic?.contract_based),
    elimination: await find(dynamic?.elimination),
  }
}

/** Returns the routing with a stored algorithm or one that is only tried out. Refuses (HE_02) another profile's. */
export async function routingBy(
  context: UseCaseCall['context'],
  merchant: Merchant,
  profile_id: string,
  { algorithm_id, algorithm }: By,
): Promise<ProfileRouting | undefined> {
  needProfile(merchant, profile_id)
  const now = merchant.routing.get(profile_id)
  if (algorithm_id !== undefined && algorithm !== undefined)
    refuse('unacceptable', { field: 'algorithm', problem: 'and algorithm_id cannot be sent together' })
  if (algorithm_id === undefined && algorithm === undefined) return now
  const active =
    algorithm === undefined ? await needAlgorithm({ context, merchant }, algorithm_id!) : unsaved(context, merchant, profile_id, algorithm)
  if (active.profile_id !== profile_id || active.algorithm_kind === 'dynamic') refuse('not_found', { what: 'routing algorithm' })
  const nothing = {
    row: unsaid(merchant.merchant_id, profile_id, context.now()),
    success_based: null,
    contract_based: null,
    elimination: null,
  }
  return { ...(now ?? nothing), active }
}

/** The id under which an algorithm that is only tried out is shown. */
const UNSAVED = 'unsaved'

function unsaved(context: UseCaseCall['context'], merchant: Merchant, profile_id: string, given: unknown): RoutingAlgorithmRow {
  const algorithm = readAlgorithm(given, ['algorithm'])
  checkChoices(
    enabledIn(merchant, profile_id),
    algorithm,
    ['algorithm'],
    `the enabled connector accounts of business profile ${profile_id}`,
  )
  const values = { profile_id, name: UNSAVED, description: '', algorithm_kind: algorithm.type, algorithm }
  return { ...newAlgorithm({ context, merchant }, values), algorithm_id: UNSAVED }
}
