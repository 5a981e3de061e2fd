import type { ConnectorAccount, Merchant } from '../accounts/merchant.ts'
import type { ProfileRouting, RoutingAlgorithmRow } from '../accounts/routing.ts'
import type { Algorithm, Choice, Selection } from './algorithm.ts'
import { compileRules, type Picks } from './compile-rules.ts'
import { draw } from './draw.ts'
import { type DynamicDecision, type Health, rankDynamically } from './dynamic/dynamic-routing.ts'
import { type CheckName, processorOf } from './eligibility-checks.ts'
import { accountsFor, failedCheckOf, nameOfCheck, PASSED } from './eligible.ts'
import { routingFor } from './known.ts'
import type { RoutingContext } from './routing-context.ts'

/**
 * A pure function of its arguments, so that a decision can be explained and replayed: random draws follow from names,
 * and the health of the accounts is stored with the decision.
 */
export type Decision = {
  /** The request (`routing`), the profile's active algorithm, or neither. */
  approach: 'request' | 'algorithm' | 'default'
  algorithm_id: string | null
  /** Null without rules, or if none held. */
  rule: string | null
  order: readonly ConnectorAccount[]
  /** Selected by the request or the algorithm. The others in `order` are the profile's fallback. */
  chosen: readonly ConnectorAccount[]
  left_out: readonly { account: ConnectorAccount; check: CheckName }[]
  /** Null without dynamic routing. */
  dynamic: DynamicDecision | null
}

const compiled = new WeakMap<RoutingAlgorithmRow, Picks>()
/** Cached by the row. */
export function picksOf(row: RoutingAlgorithmRow): Picks {
  let picks = compiled.get(row)
  if (!picks) {
    picks = compileRules(row.algorithm as Algorithm)
    compiled.set(row, picks)
  }
  return picks
}

const NO_ACCOUNTS: readonly ConnectorAccount[] = []

/** `health`: null if nothing is measured. */
export function decide(
  merchant: Merchant,
  routingContext: RoutingContext,
  health: Health | null,
  routing: ProfileRouting | undefined = routingFor(merchant, routingContext.profile_id, routingContext.transaction),
): Decision {
  const able: ConnectorAccount[] = []
  const left_out: { account: ConnectorAccount; check: CheckName }[] = []
  for (const account of accountsFor(merchant, routingContext)) {
    if (account.profile_id !== routingContext.profile_id || account.connector_type !== processorOf[routingContext.transaction]) continue
    const check = failedCheckOf(account, routingContext)
    if (check === PASSED) able.push(account)
    else left_out.push({ account, check: nameOfCheck(check) })
  }
  const fallback = inOrder(able, routing?.row.fallback)
  const selected = wordFor(routingContext, routing)
  const chosen = selected
    ? arrange(selected.selection, fallback, `${routingContext.payment_id} ${selected.algorithm_id ?? 'request'}`)
    : NO_ACCOUNTS
  const order = chosen.length === 0 ? fallback : [...chosen, ...fallback.filter(account => !chosen.includes(account))]
  const decision: Decision = {
    approach: selected?.approach ?? 'default',
    algorithm_id: selected?.algorithm_id ?? null,
    rule: selected?.rule ?? null,
    order,
    chosen,
    left_out,
    dynamic: null,
  }
  if (!routing || !health) return decision
  return { ...decision, ...rankDynamically(order, decision.approach !== 'request', routingContext.payment_id, health, routing) }
}

/** Accounts that are not listed follow in their former order. */
export function inOrder(accounts: readonly ConnectorAccount[], ids: readonly string[] | undefined): readonly ConnectorAccount[] {
  if (!ids || ids.length === 0 || accounts.length < 2) return accounts
  const place = ({ merchant_connector_id }: ConnectorAccount) => {
    const i = ids.indexOf(merchant_connector_id)
    return i === -1 ? ids.length : i
  }
  return accounts.toSorted((a, b) => place(a) - place(b))
}

type Selected = { approach: 'request' | 'algorithm'; algorithm_id: string | null; rule: string | null; selection: Selection }

function wordFor(routingContext: RoutingContext, routing: ProfileRouting | undefined): Selected | null {
  if (routingContext.routing) return { approach: 'request', algorithm_id: null, ...compileRules(routingContext.routing)(routingContext) }
  const active = routing?.active
  return active ? { approach: 'algorithm', algorithm_id: active.algorithm_id, ...picksOf(active)(routingContext) } : null
}

const isMeant = ({ connector, merchant_connector_id: id }: Choice, account: ConnectorAccount): boolean =>
  id === null ? account.connector_name === connector : account.merchant_connector_id === id

/** A volume split is drawn only among accounts that could take the payment: shares keep their proportion. */
export function arrange(selection: Selection, able: readonly ConnectorAccount[], lot: string): readonly ConnectorAccount[] {
  const choices = selection.type === 'priority' ? selection.data : drawn(selection.data, able, lot)
  const order: ConnectorAccount[] = []
  for (const choice of choices) for (const account of able) if (isMeant(choice, account) && !order.includes(account)) order.push(account)
  return order
}

/** The drawn choice first, then the others in their order. */
function drawn(splits: Extract<Selection, { type: 'volume_split' }>['data'], able: readonly ConnectorAccount[], lot: string): Choice[] {
  const possible = splits.filter(({ connector }) => able.some(account => isMeant(connector, account)))
  const total = possible.reduce((sum, { split }) => sum + split, 0)
  const choices = possible.map(({ connector }) => connector)
  if (total === 0 || possible.length < 2) return choices
  let left = draw(lot) * total
  const first = possible.findIndex(({ split }) => {
    left -= split
    return left < 0
  })
  return first <= 0 ? choices : [choices[first]!, ...choices.toSpliced(first, 1)]
}

/**
 * A decision as stored with its authorization: accounts by their ids, without empty members. `chosen`: the accounts of
 * the order that were selected; the others are the fallback.
 */
export type Routed = {
  approach: Decision['approach']
  algorithm_id?: string
  rule?: string
  order: readonly string[]
  chosen?: readonly string[]
  left_out?: Readonly<Record<string, CheckName>>
  dynamic?: DynamicDecision
}

const idOf = (account: ConnectorAccount): string => account.merchant_connector_id

export function routedOf({ approach, algorithm_id, rule, order, chosen, left_out, dynamic }: Decision): Routed {
  const routed: Routed = { approach, order: order.map(idOf) }
  if (algorithm_id !== null) routed.algorithm_id = algorithm_id
  if (rule !== null) routed.rule = rule
  if (chosen.length > 0) routed.chosen = chosen.map(idOf)
  if (left_out.length > 0) routed.left_out = Object.fromEntries(left_out.map(({ account, check }) => [idOf(account), check]))
  if (dynamic) routed.dynamic = dynamic
  return routed
}
