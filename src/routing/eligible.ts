import type { ConnectorAccount, Merchant } from '../accounts/merchant.ts'
import { type MethodType, typesEnabled } from './enabled-methods.ts'
import { type Hurdle, type HurdleName, hurdles } from './hurdles.ts'
import type { RoutingContext } from './routing-context.ts'

/** Which connector accounts could take a payment, and what stands between it and the others. Pure. */

/** The accounts among which is chosen: all of the merchant's; of a payment that came with credentials, theirs alone. */
export const accountsFor = (
  { connectorAccounts, brought }: Merchant,
  routingContext: Pick<RoutingContext, 'brought_account'>,
): readonly ConnectorAccount[] =>
  routingContext.brought_account === null
    ? connectorAccounts
    : brought.filter(one => one.merchant_connector_id === routingContext.brought_account)

/**
 * How far an account comes: the number of the hurdle at which the best of what it is enabled for fails; `PASSED` if
 * it could take the payment.
 */
export function hurdleOf(account: ConnectorAccount, routingContext: RoutingContext): number {
  let furthest = 0
  for (const type of typesEnabled(account, routingContext)) {
    let i = 0
    while (i < hurdles.length && hurdles[i]!.passes(account, type, routingContext)) i++
    if (i > furthest) furthest = i
  }
  return furthest
}
export const PASSED = hurdles.length

/**
 * What the account is enabled for of this method (null: for everything), as far as it passes the hurdles. `unasked`:
 * hurdles that are not there, because what they look at is not known.
 */
export const enabledTypes = (
  account: ConnectorAccount,
  routingContext: RoutingContext,
  unasked: ReadonlySet<HurdleName>,
): readonly (MethodType | null)[] =>
  typesEnabled(account, routingContext).filter(type =>
    hurdles.every(hurdle => unasked.has(hurdle.name) || hurdle.passes(account, type, routingContext)),
  )

export const nameOfHurdle = (number: number): HurdleName => hurdles[number]!.name

/** Why this account does not take the payment. */
export const whyIneligible = (name: HurdleName, routingContext: RoutingContext): string =>
  (hurdles as readonly Hurdle[]).find(one => one.name === name)!.not(routingContext)

/** The hurdle that none of those who come furthest passes. */
export const lastHurdle = (accounts: readonly ConnectorAccount[], routingContext: RoutingContext): HurdleName =>
  nameOfHurdle(Math.max(0, ...accounts.map(account => hurdleOf(account, routingContext))))

/** Why no account takes it: the hurdle that none of those who come so far passes. */
export function whyNone(accounts: readonly ConnectorAccount[], routingContext: RoutingContext): string {
  const reached = accounts.map(account => hurdleOf(account, routingContext))
  const furthest = Math.max(0, ...reached)
  return (hurdles as readonly Hurdle[])[furthest]!.none(routingContext, accounts[reached.indexOf(furthest)])
}
