import { connectorAccountFields } from '../../src/accounts/connector-account-fields.ts'
import { merchantFields } from '../../src/accounts/merchant-fields.ts'
import { profileFields } from '../../src/accounts/profile-fields.ts'
import { customerFields } from '../../src/customers/fields.ts'
import { methodFields } from '../../src/payment-methods/fields.ts'
import { fields, refusalMessage, refusedByName } from '../../src/payments/fields/all.ts'
import { payoutFields } from '../../src/payouts/fields.ts'
import { refundFields } from '../../src/refunds/fields.ts'
import { neverSent } from '../../src/resources/field.ts'
import { keptOnlyBy } from '../../src/resources/read.ts'
import type { Schema } from './schemas.ts'

/**
 * Members that an operation accepts and stores without acting on them, each with the reason. All other members take
 * effect, describe the goods or the customer, or are refused by name. Resources with a table of fields mark such
 * members there (`resources/field.ts`). An entry is removed when the feature is built. A test compares the table with
 * the shapes and with the service.
 */
export type KeptOnly = { member: string; why: string }

const noTokens = 'A network token is never replaced by the card number, because payments with a token do not contain it'
const ofRules: Record<string, string> = {
  clear_pan_possible: noTokens,
  'feature_data.retry.clear_pan_possible': noTokens,
  'feature_data.retry.alternate_network_possible': 'Payments are retried at another account, never on another network of the card',
}

/** The ecosystem's documentation does not define these members. */
const ofContracts = { 'config.constants': 'Targets increase evenly by day or month' }

const table: Record<string, Record<string, string>> = {
  createPayment: keptOnlyBy(fields, 'create'),
  updatePayment: keptOnlyBy(fields, 'update'),
  confirmPayment: keptOnlyBy(fields, 'confirm'),
  updateMetadata: { feature_metadata: neverSent },
  calculateTax: { payment_method_type: 'Taxes do not depend on it', session_id: 'Not sent to wallets' },
  checkEligibility: { browser_info: 'The card is not verified before it is charged' },
  checkEligibilityToo: { browser_info: 'The card is not verified before it is charged' },
  incrementAuthorization: { reason: neverSent },
  createCustomer: keptOnlyBy(customerFields, 'create'),
  updateCustomer: keptOnlyBy(customerFields, 'update'),
  createPaymentMethod: keptOnlyBy(methodFields, 'create'),
  migratePaymentMethod: { 'network_token.network_token_requestor_ref_id': 'The token requestor is not contacted' },
  listPaymentMethods: { limit: 'Applies to saved payment methods, which this list does not contain' },
  createPayout: keptOnlyBy(payoutFields, 'create'),
  updatePayout: keptOnlyBy(payoutFields, 'update'),
  putPayout: keptOnlyBy(payoutFields, 'update'),
  confirmPayout: keptOnlyBy(payoutFields, 'confirm'),
  createRefund: keptOnlyBy(refundFields, 'create'),
  updateRefund: keptOnlyBy(refundFields, 'update'),
  createGsmRule: ofRules,
  updateGsmRule: ofRules,
  createMerchantAccount: keptOnlyBy(merchantFields, 'create'),
  updateMerchantAccount: keptOnlyBy(merchantFields, 'update'),
  setKv: { kv_enabled: 'The service has a single storage scheme' },
  createProfile: keptOnlyBy(profileFields, 'create'),
  updateProfile: keptOnlyBy(profileFields, 'update'),
  createConnectorAccount: keptOnlyBy(connectorAccountFields, 'create'),
  updateConnectorAccount: keptOnlyBy(connectorAccountFields, 'update'),
  toggleContractBasedRouting: ofContracts,
  updateContractBasedRouting: ofContracts,
}

/**
 * Returns the members that an operation, given by its name, only stores. A member within another is written with dots.
 */
export const keptOnlyMembers = (operation: string): readonly KeptOnly[] =>
  Object.entries(table[operation] ?? {}).map(([member, why]) => ({ member, why }))

/**
 * Adds notes to the descriptions of an operation's members: which of them are only stored, and which are refused
 * unless they ask for nothing. `x-kept-only` marks the former for programs: the whole member (`true`), or the listed
 * members within it.
 */
export function sayKept(operation: string, properties: Record<string, Schema> = {}): void {
  const add = (property: Schema | undefined, note: string) => {
    if (property) property.description = property.description === undefined ? note : `${property.description.replace(/\.?$/, '.')} ${note}`
  }
  for (const { member, why } of keptOnlyMembers(operation)) {
    const [outer, ...inner] = member.split('.')
    add(properties[outer!], inner.length === 0 ? `Kept only: ${why}.` : `Kept only of it: ${inner.join('.')} (${why}).`)
    const property = properties[outer!]
    if (property) property['x-kept-only'] = inner.length === 0 ? true : [...((property['x-kept-only'] as string[]) ?? []), inner.join('.')]
  }
  if (operation !== 'createPayment' && operation !== 'confirmPayment') return
  for (const [member, what] of refusedByName) add(properties[member], `${refusalMessage(member, what)}.`)
}
