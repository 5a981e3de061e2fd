import Type from 'typebox'
import type { ConnectorAccount } from '../accounts/merchant.ts'
import { findProfileRouting, type TransactionType } from '../accounts/routing.ts'
import { refuse } from '../base/refusal.ts'
import { fieldName, shortText, strictObject } from '../base/shapes.ts'
import { needProfile } from './algorithms.ts'
import { changeRouting, type RoutingCall } from './change.ts'
import { inOrder } from './decide.ts'
import { enabledIn, routingColumns } from './known.ts'

/** Applies without an algorithm, and after the accounts that one selects. New accounts join at the end. */

export const fallbackShape = Type.Array(strictObject({ connector: shortText, merchant_connector_id: Type.Optional(shortText) }))
type Ask = Type.Static<typeof fallbackShape>

export async function fallbackOf(call: RoutingCall, of: TransactionType, profile_id: string): Promise<readonly ConnectorAccount[]> {
  needProfile(call.merchant, profile_id)
  const row = await findProfileRouting(call.context, call.merchant.merchant_id, profile_id)
  return inOrder(enabledIn(call.merchant, profile_id, of), row?.[routingColumns[of].fallback])
}

/** The list must contain each enabled account of the profile exactly once. */
export async function setFallback<T>(
  call: RoutingCall,
  of: TransactionType,
  profile_id: string,
  ask: Ask,
  show: (order: readonly ConnectorAccount[]) => T,
): Promise<T> {
  needProfile(call.merchant, profile_id)
  const accounts = enabledIn(call.merchant, profile_id, of)
  if (ask.length !== accounts.length)
    refuse('precondition', { problem: `The list must contain each of the ${accounts.length} enabled connector accounts exactly once` })
  const order = ask.map(
    (choice, i) => meant(accounts, choice) ?? refuse('unacceptable', { field: fieldName([i]), problem: whatIs(choice) }),
  )
  order.forEach((account, i) => {
    if (order.indexOf(account) < i)
      refuse('unacceptable', { field: fieldName([i]), problem: `lists ${account.merchant_connector_id} twice` })
  })
  return changeRouting(call, profile_id, 'fallback_set', () => ({
    set: { [routingColumns[of].fallback]: order.map(account => account.merchant_connector_id) },
    answer: show(order),
  }))
}

const whatIs = ({ connector, merchant_connector_id: id }: Ask[number]): string =>
  id === undefined
    ? `${connector} does not have exactly one enabled account: send merchant_connector_id`
    : `${id} is not an enabled account at ${connector}`

function meant(accounts: readonly ConnectorAccount[], { connector, merchant_connector_id: id }: Ask[number]): ConnectorAccount | undefined {
  const found = accounts.filter(one => one.connector_name === connector && (id === undefined || one.merchant_connector_id === id))
  return found.length === 1 ? found[0] : undefined
}
