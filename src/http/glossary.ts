import { statusesWithEvents } from '../events/status-filters.ts'
import { allFields } from '../payments/fields/all.ts'
import { members } from '../show/members.ts'

/** The words of a table of members. */
const wordsOf = (table: readonly (readonly [string, { says?: string }])[]): Record<string, string> =>
  Object.fromEntries(table.flatMap(([name, { says }]) => (says === undefined ? [] : [[name, says]])))

/**
 * What the interface's words mean. A name means the same wherever it stands (in a request, in an answer, in a
 * column), so it is explained once: where it is a member of payments, in their tables, otherwise here. A schema that
 * says more keeps its own words.
 */
export const glossary: Readonly<Record<string, string>> = {
  ...wordsOf(allFields),
  ...wordsOf(Object.entries(members)),
  ...Object.fromEntries(statusesWithEvents.map(({ member, names }) => [member, `Of these: ${names.join(', ')}`])),
  card_exp_month: '01 to 12',
  card_exp_year: 'Two or four digits',
  card_isin: 'The first six digits',
  card_extended_bin: 'The first eight digits',
  card_number: 'Digits; encrypted on receipt and never returned',
  connector_account_details: "auth_type and the processor's credentials; stored encrypted, returned masked",
  connector_label: 'Name of the connector account; unique within a business profile',
  connector_name: 'Name of the processor',
  connector_refund_id: "The processor's id of the refund",
  connector_webhook_details: 'merchant_secret is the secret that the processor signs webhooks with',
  created_at: 'Time of creation',
  disabled: 'true: no new payment is routed here',
  expand_attempts: 'true: list the attempts',
  expand_captures: 'true: list the captures',
  force_sync: 'true: sync unfinished operations with the processor first',
  last4: 'The last four digits',
  merchant_connector_id: 'Id of the connector account',
  network_advice_code: "The card network's advice on retrying",
  payment_methods_enabled: 'Payment methods of this account; if absent, all that the connector supports',
  publishable_key: 'For browsers; requires the client_secret of the object',
  reason: "The merchant's reason, as free text",
  refund_id: 'Exactly 30 characters. If sent, it makes creation idempotent; otherwise it is generated',
  refund_type: 'instant (default), or scheduled: the response is returned before the refund is sent to the processor',
  updated_at: 'Time of the last change',
}
