import type { ConnectorAccount, Merchant } from '../accounts/merchant.ts'
import { type MethodType, typesEnabled } from './enabled-methods.ts'
import { type Hurdle, type HurdleName, hurdles } from './hurdles.ts'
import type { RoutingContext } from './routing-context.ts'

/** Eligibility: the connector accounts that could take a payment, and the reasons against the others. Pure. */

/** Returns the accounts to choose from: all of the merchant's, or only the account that was sent with the payment. */
export const accountsFor = (
  { connectorAccounts, brought }: Merchant,
  routingContext: Pick<RoutingContext, 'brought_account'>,
): readonly ConnectorAccount[] =>
  routingContext.brought_account === null
    ? connectorAccounts
    : brought.filter(one => one.merchant_connector_id === routingContext.brought_account)

/**
 * Returns the number of the first hurdle that an account fails for a payment, at best among the types it is enabled
 * for; `PASSED` if it could take the payment.
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
 * Returns the types of a method that an account is enabled for (null: for all types) and that pass the hurdles.
 * `unasked`: hurdles that are skipped, because the data that they need is not known.
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

/** Returns the reason, in words, why an account does not take the payment. */
export const whyIneligible = (name: HurdleName, routingContext: RoutingContext): string =>
  (hurdles as readonly Hurdle[]).find(one => one.name === name)!.not(routingContext)

/** Returns the hurdle at which the furthest of the accounts fail. */
export const lastHurdle = (accounts: readonly ConnectorAccount[], routingContext: RoutingContext): HurdleName =>
  nameOfHurdle(Math.max(0, ...accounts.map(account => hurdleOf(account, routingContext))))

/** Returns the reason, in words, why no account takes the payment: the hurdle at which the furthest of them fail. */
export function whyNone(accounts: readonly ConnectorAccount[], routingContext: RoutingContext): string {
  const reached = accounts.map(account => hurdleOf(account, routingContext))
  const furthest = Math.max(0, ...reached)
  return (hurdles as readonly Hurdle[])[furthest]!.none(routingContext, accounts[reached.indexOf(furthest)])
}
