import type { ConnectorAccount, Merchant } from '../accounts/merchant.ts'
import { type CheckName, type EligibilityCheck, eligibilityChecks } from './eligibility-checks.ts'
import { type MethodType, typesEnabled } from './enabled-methods.ts'
import type { RoutingContext } from './routing-context.ts'

/** All of the merchant's, or only the account that was sent with the payment. */
export const accountsFor = (
  { connectorAccounts, inlineAccounts }: Merchant,
  routingContext: Pick<RoutingContext, 'inline_account'>,
): readonly ConnectorAccount[] =>
  routingContext.inline_account === null
    ? connectorAccounts
    : inlineAccounts.filter(one => one.merchant_connector_id === routingContext.inline_account)

/** The first check that an account fails, at best among the types it is enabled for; `PASSED` if it fails none. */
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

/** The enabled types (null: all) that pass. `unasked`: checks that are skipped, because their data is not known. */
export const enabledTypes = (
  account: ConnectorAccount,
  routingContext: RoutingContext,
  unasked: ReadonlySet<CheckName>,
): readonly (MethodType | null)[] =>
  typesEnabled(account, routingContext).filter(type =>
    eligibilityChecks.every(check => unasked.has(check.name) || check.passes(account, type, routingContext)),
  )

export const nameOfCheck = (number: number): CheckName => eligibilityChecks[number]!.name

export const whyIneligible = (name: CheckName, routingContext: RoutingContext): string =>
  (eligibilityChecks as readonly EligibilityCheck[]).find(one => one.name === name)!.exclusionReason(routingContext)

export const lastHurdle = (accounts: readonly ConnectorAccount[], routingContext: RoutingContext): CheckName =>
  nameOfCheck(Math.max(0, ...accounts.map(account => failedCheckOf(account, routingContext))))

/** The reason of the check at which the furthest of the accounts fail. */
export function whyNone(accounts: readonly ConnectorAccount[], routingContext: RoutingContext): string {
  const reached = accounts.map(account => failedCheckOf(account, routingContext))
  const furthest = Math.max(0, ...reached)
  return (eligibilityChecks as readonly EligibilityCheck[])[furthest]!.errorWhenNone(routingContext, accounts[reached.indexOf(furthest)])
}
