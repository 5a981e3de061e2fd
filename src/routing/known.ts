import type { ConnectorAccount, Merchant } from '../accounts/merchant.ts'
import { refuse } from '../base/refusal.ts'
import { fieldName } from '../base/shapes.ts'
import { connectors } from '../connectors/all.ts'
import type { Algorithm, Choice } from './algorithm.ts'
import { choicesOf, type Path } from './read.ts'

/** Refuses (422 IR_06) an algorithm that names a connector which has no account that is switched on among these, or an account that is none of them. `whose` says who has these accounts. */
export function checkChoices(accounts: readonly ConnectorAccount[], algorithm: Algorithm, path: Path, whose: string): void {
  for (const { choice, path: here } of choicesOf(algorithm, path)) {
    const wrong = whyUnknown(accounts, choice)
    if (wrong !== null) refuse('unacceptable', { field: fieldName(here), words: `${wrong} of ${whose}` })
  }
}

/** Why a choice means none of these accounts; null if it means one. */
export function whyUnknown(accounts: readonly ConnectorAccount[], { connector, merchant_connector_id: id }: Choice): string | null {
  if (id === null) return accounts.some(one => one.connector_name === connector) ? null : `${connector} is no connector`
  return accounts.some(one => one.merchant_connector_id === id && one.connector_name === connector)
    ? null
    : `${id} is no account at ${connector}`
}

/** The accounts of a profile that payments may go to at all. */
export const enabledIn = (merchant: Merchant, profile_id: string): readonly ConnectorAccount[] =>
  merchant.connectorAccounts.filter(
    account => account.profile_id === profile_id && account.connector_type === 'payment_processor' && !account.disabled,
  )

/** Whoever a payment's own `routing` names must be known; whether it may take the payment is another question, and not answered here. */
export function checkRequest(merchant: Merchant, algorithm: Algorithm): void {
  for (const { choice, path } of choicesOf(algorithm, ['routing'])) {
    const { connector, merchant_connector_id: id } = choice
    const isKnown = Object.hasOwn(connectors, connector) && (id === null || whyUnknown(merchant.connectorAccounts, choice) === null)
    if (!isKnown) refuse('unacceptable', { field: fieldName(path), words: `${id ?? connector} is not known here` })
  }
}
