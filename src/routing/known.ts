import type { ConnectorAccount, Merchant } from '../accounts/merchant.ts'
import type { ProfileRouting, ProfileRoutingRow, TransactionType } from '../accounts/routing.ts'
import { refuse } from '../base/refusal.ts'
import { fieldName } from '../base/shapes.ts'
import { connectors } from '../connectors/all.ts'
import type { Algorithm, Choice } from './algorithm.ts'
import { processorOf } from './eligibility-checks.ts'
import { choicesOf, type Path } from './read.ts'

/** `accounts`: those that the algorithm may name. `owner`: of the accounts, for the error. */
export function checkChoices(accounts: readonly ConnectorAccount[], algorithm: Algorithm, path: Path, owner: string): void {
  for (const { choice, path: here } of choicesOf(algorithm, path)) {
    const wrong = whyUnknown(accounts, choice)
    if (wrong !== null) refuse('unacceptable', { field: fieldName(here), problem: `${wrong} among ${owner}` })
  }
}

export function whyUnknown(accounts: readonly ConnectorAccount[], { connector, merchant_connector_id: id }: Choice): string | null {
  if (id === null) return accounts.some(one => one.connector_name === connector) ? null : `${connector} has no account`
  return accounts.some(one => one.merchant_connector_id === id && one.connector_name === connector)
    ? null
    : `${id} is not an account at ${connector}`
}

export const enabledIn = (
  { connectorAccounts }: Pick<Merchant, 'connectorAccounts'>,
  profile_id: string,
  of: TransactionType = 'payment',
): readonly ConnectorAccount[] =>
  connectorAccounts.filter(account => account.profile_id === profile_id && account.connector_type === processorOf[of] && !account.disabled)

export const routingColumns = {
  payment: { algorithm: 'payment_algorithm', fallback: 'fallback' },
  payout: { algorithm: 'payout_algorithm', fallback: 'payout_fallback' },
} as const satisfies Record<TransactionType, { algorithm: keyof ProfileRoutingRow; fallback: keyof ProfileRoutingRow }>

/** Payouts have no dynamic routing. */
export function routingFor(merchant: Merchant, profile_id: string, of: TransactionType): ProfileRouting | undefined {
  const routing = merchant.routing.get(profile_id)
  if (of === 'payment' || !routing) return routing
  const { row, payout_active = null } = routing
  return {
    row: { ...row, fallback: row.payout_fallback },
    active: payout_active,
    success_based: null,
    contract_based: null,
    elimination: null,
  }
}

/** A payment's own `routing`. Eligibility for the payment is checked later. */
export function checkRequest(merchant: Merchant, algorithm: Algorithm): void {
  for (const { choice, path } of choicesOf(algorithm, ['routing'])) {
    const { connector, merchant_connector_id: id } = choice
    const isKnown = Object.hasOwn(connectors, connector) && (id === null || whyUnknown(merchant.connectorAccounts, choice) === null)
    if (!isKnown)
      refuse('unacceptable', { field: fieldName(path), problem: `${id ?? connector} is not a known connector or connector account` })
  }
}
