import type { ConnectorAccount, Merchant } from '../accounts/merchant.ts'
import type { ProfileRouting, RoutingAlgorithmRow } from '../accounts/routing.ts'
import type { Algorithm, Choice, Selection } from './algorithm.ts'
import { compile, type Picks } from './compile.ts'
import { byContract } from './contract.ts'
import { draw } from './draw.ts'
import { contractOf, eliminationOf, successOf } from './dynamic.ts'
import { type CheckName, processorOf } from './eligibility-checks.ts'
import { accountsFor, failedCheckOf, nameOfCheck, PASSED } from './eligible.ts'
import { type Health, unknownHealth } from './health.ts'
import { routingFor } from './known.ts'
import { bySuccess, downLast } from './rank.ts'
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

/**
 * `explored`: the first account was drawn at random to test it. Algorithms that only measure are null.
 * `contract_based` is absent in decisions made before contracts existed. `share`: the percentage of payments that are
 * ranked.
 */
export type DynamicDecision = {
  ranked: boolean
  explored: boolean
  success_based: string | null
  contract_based?: string | null
  elimination: string | null
  share: number
  health: Health
}

const compiled = new WeakMap<RoutingAlgorithmRow, Picks>()
/** Cached by the row. */
export function picksOf(row: RoutingAlgorithmRow): Picks {
  let picks = compiled.get(row)
  if (!picks) {
    picks = compile(row.algorithm as Algorithm)
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
  return routing && health ? adjust(decision, routingContext, health, routing) : decision
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
  if (routingContext.routing) return { approach: 'request', algorithm_id: null, ...compile(routingContext.routing)(routingContext) }
  const active = routing?.active
  return active ? { approach: 'algorithm', algorithm_id: active.algorithm_id, ...picksOf(active)(routingContext) } : null
}

const isMeant = ({ connector, merchant_connector_id: id }: Choice, account: ConnectorAccount): boolean =>
  id === null ? account.connector_name === connector : account.merchant_connector_id === id

/**
 * A volume split is drawn only among accounts that could take the payment, so that their shares keep their proportion.
 */
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

/** A request with its own `routing` is not ranked again, but an account that is down is tried last in any case. */
function adjust(decision: Decision, routingContext: RoutingContext, health: Health, routing: ProfileRouting): Decision {
  const of = ({ merchant_connector_id }: ConnectorAccount) => health[merchant_connector_id] ?? unknownHealth
  const [success, contract, elimination] = [successOf(routing), contractOf(routing), eliminationOf(routing)]
  if (!success && !contract && !elimination) return decision
  let { order } = decision
  let explored = false
  const inShare = draw(`${routingContext.payment_id} dynamic`) * 100 < routing.row.dynamic_share
  const mayRank = decision.approach !== 'request' && inShare && order.length > 1
  const ranked = success?.decides === true && mayRank
  if (ranked) ({ order, explored } = bySuccess(order, of, success.config, routingContext.payment_id))
  // Contracts take precedence over success rates.
  if (contract?.decides && mayRank) order = byContract(order, of)
  if (elimination?.decides) order = downLast(order, of)
  return {
    ...decision,
    order,
    dynamic: {
      ranked,
      explored,
      success_based: success?.decides ? success.algorithm_id : null,
      ...(contract && { contract_based: contract.decides ? contract.algorithm_id : null }),
      elimination: elimination?.decides ? elimination.algorithm_id : null,
      share: routing.row.dynamic_share,
      health,
    },
  }
}
