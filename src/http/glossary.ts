import { allFields } from '../payments/fields/all.ts'
import { members } from '../show/members.ts'

/** The words of a table of members. */
const wordsOf = (table: readonly (readonly [string, { says?: string }])[]): Record<string, string> =>
  Object.fromEntries(table.flatMap(([name, { says }]) => (says === undefined ? [] : [[name, says]])))

/**
 * What the interface's words mean. A name means the same wherever it stands (in a request, in an answer, in a column), so it is explained once: where it is a member of payments, in their tables,
 * otherwise here. A schema that says more keeps its own words.
 */
export const glossary: Readonly<Record<string, string>> = {
  ...wordsOf(allFields),
  ...wordsOf(Object.entries(members)),
  card_exp_month: '01 to 12',
  card_exp_year: 'Two or four digits',
  card_isin: 'The first six digits',
  card_extended_bin: 'The first eight digits',
  card_number: 'Digits; encrypted as soon as it is read, and never shown again',
  connector_account_details: "auth_type and the processor's credentials; kept encrypted, shown masked",
  connector_label: 'Name of the connector account; unique within a business profile',
  connector_name: 'Which processor',
  connector_refund_id: "The processor's id of the refund",
  connector_webhook_details: 'merchant_secret is what the processor signs its webhooks with',
  created_at: 'When it was created',
  disabled: 'true: no new payment is routed here',
  expand_attempts: 'true: list the attempts',
  expand_captures: 'true: list the captures',
  force_sync: 'true: ask the processor first what became of everything unfinished',
  last4: 'The last four digits',
  merchant_connector_id: 'Id of the connector account',
  network_advice_code: "The card network's advice on trying again",
  payment_methods_enabled: 'What this account takes; absent means everything that the connector takes',
  publishable_key: 'Goes into the browser: opens only what a client_secret opens',
  reason: "The merchant's own words",
  refund_id: 'Exactly 30 characters. Sent at creation it makes creation idempotent; otherwise it is made for you',
  refund_type: 'instant (default); scheduled is answered before the processor is asked, and sent afterwards',
  updated_at: 'When it last changed',
}
