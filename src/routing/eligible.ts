import type { ConnectorAccount, Merchant } from '../accounts/merchant.ts'
import { type CheckName, type EligibilityCheck, eligibilityChecks } from './eligibility-checks.ts'
import { type MethodType, typesEnabled } from './enabled-methods.ts'
import type { RoutingContext } from './routing-context.ts'

/** Eligibility: the connector accounts that could take a payment, and the reasons against the others. Pure. */

/** Returns the accounts to choose from: all of the merchant's, or only the account that was sent with the payment. */
export const accountsFor = (
  { connectorAccounts, inlineAccounts }: Merchant,
  routingContext: Pick<RoutingContext, 'inline_account'>,
): readonly ConnectorAccount[] =>
  routingContext.inline_account === null
    ? connectorAccounts
    : inlineAccounts.filter(one => one.merchant_connector_id === routingContext.inline_account)

/**
 * Returns the number of the first check that an account fails for a payment, at best among the types it is enabled
 * for; `PASSED` if it could take the payment.
 */
export function failedCheckOf(account: ConnectorAccount, routingContext: RoutingContext): number {
  let furthest = 0
  for (const type of typesEnabled(account, routingContext)) {
    let i = 0
    while (i < eligibilityChecks.length && eligibilityChecks[i]!.passes(account, type, routingContext)) i++
    if (i > furthest) furthest = i
  }
  return furthest
}
export const PASSED = eligibilityChecks.length

/**
 * Returns the types of a method that an account is enabled for (null: for all types) and that pass the checks.
 * `unasked`: checks that are skipped, because the data that they need is not known.
 */
export const enabledTypes = (
  account: ConnectorAccount,
  routingContext: RoutingContext,
  unasked: ReadonlySet<CheckName>,
): readonly (MethodType | null)[] =>
  typesEnabled(account, routingContext).filter(type =>
    eligibilityChecks.every(check => unasked.has(check.name) || check.passes(account, type, routingContext)),
  )

export const nameOfCheck = (number: number): CheckName => eligibilityChecks[number]!.name

/** Returns the reason, in words, why an account does not take the payment. */
export const whyIneligible = (name: CheckName, routingContext: RoutingContext): string =>
  (eligibilityChecks as readonly EligibilityCheck[]).find(one => one.name === name)!.not(routingContext)

/** Returns the check at which the furthest of the accounts fail. */
export const lastHurdle = (accounts: readonly ConnectorAccount[], routingContext: RoutingContext): CheckName =>
  nameOfCheck(Math.max(0, ...accounts.map(account => failedCheckOf(account, routingContext))))

/** Returns the reason, in words, why no account takes the payment: the check at which the furthest of them fail. */
export function whyNone(accounts: readonly ConnectorAccount[], routingContext: RoutingContext): string {
  const reached = accounts.map(account => failedCheckOf(account, routingContext))
  const furthest = Math.max(0, ...reached)
  return (eligibilityChecks as readonly EligibilityCheck[])[furthest]!.none(routingContext, accounts[reached.indexOf(furthest)])
}
