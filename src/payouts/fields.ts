import Type, { type Static } from 'typebox'
import { checkPayoutLink, payoutLinkShape } from '../accounts/payout-link-config.ts'
import type { Currency } from '../base/currencies.ts'
import { statesOf } from '../base/lifecycle.ts'
import { checkMetadata } from '../base/metadata.ts'
import { LARGEST_AMOUNT } from '../base/money.ts'
import { refuse } from '../base/refusal.ts'
import {
  anyText,
  bool,
  boundedText,
  checkAddress,
  country,
  dateTime,
  kept,
  metadata,
  objectOrNull,
  orNull,
  shortText,
  textOrNull,
} from '../base/shapes.ts'
import { connectors } from '../connectors/all.ts'
import type { RecipientName } from '../connectors/instrument.ts'
import { entityTypes, payoutPriorities } from '../connectors/verbs.ts'
import { bigint, flag, text, time, word } from '../database/table.ts'
import { recipientNames, recipientShape } from '../instruments/recipients.ts'
import { anyOf } from '../lists/filters.ts'
import { checkChosenId, checkNamedMerchant, checkRouting } from '../payments/fields/checks.ts'
import { currency } from '../payments/fields/order.ts'
import { address, payer } from '../payments/fields/payer.ts'
import { type Field, keptOnly } from '../resources/field.ts'
import { algorithmShape } from '../routing/algorithms.ts'
import { lifecycle, neverHere, statuses } from './lifecycle.ts'

const status = Type.Enum([...Object.keys(lifecycle), ...neverHere])
const type = Type.Enum(recipientNames)
const entity = Type.Enum(entityTypes)
const noAccounts = 'source_bank_data is not supported: payouts are sent from the bank account configured in the connector account'

const choosesProfile = keptOnly('Only stored: the payout already has its business profile', 'update', 'confirm')

const ofLastError = { from: 'last_error', shown: 'to all', seen: textOrNull } as const

/**
 * Every member of a payout, in the order of responses. A new member needs an entry, and a migration if it has a
 * column.
 */
export const payoutFields = {
  payout_id: {
    shape: anyText,
    kept: 'column',
    column: text(),
    shown: 'to all',
    check: checkChosenId,
    listed: { by: 'own id', shape: Type.String({ minLength: 30, maxLength: 30 }) },
    exported: 1,
    description: 'Exactly 30 characters. If sent, it makes creation idempotent; otherwise it is generated',
  },
  merchant_id: {
    shape: shortText,
    column: text(),
    shown: 'computed',
    check: checkNamedMerchant,
    description: "The merchant's id; inferred from the API key",
  },
  merchant_order_reference_id: {
    shape: shortText,
    kept: 'column',
    column: text().orNull(),
    shown: 'to all',
    does: 'describes',
    listed: { by: { id: 'reference' }, shape: shortText },
    exported: 2,
    description: "The merchant's order number",
  },
  amount: {
    shape: Type.Integer({ minimum: 0, maximum: LARGEST_AMOUNT, description: 'Lowest denomination of the currency' }),
    needed: ['create'],
    kept: 'column',
    column: bigint(),
    shown: 'to all',
    exported: 4,
  },
  currency: {
    shape: currency,
    needed: ['create'],
    kept: 'column',
    column: text<Currency>('USD'),
    shown: 'to all',
    seen: currency,
    listed: { by: { facet: 2 }, shape: currency, many: 'or one' },
    exported: 5,
    description: 'ISO 4217, three letters',
  },
  confirm: { shape: bool, in: ['create', 'update'], description: 'true: confirm in the same call' },
  connector: {
    shape: Type.Array(Type.Enum(Object.keys(connectors)), { description: 'Limits the payout to these connectors' }),
    kept: 'request',
    column: text().orNull(),
    shown: 'to all',
    listed: { by: { facet: 3 }, shape: shortText, many: true },
    exported: 9,
    description: 'The processor of the payout',
  },
  routing: { shape: algorithmShape, kept: 'request', check: checkRouting },
  payout_type: {
    shape: type,
    by: 'browser',
    kept: 'column',
    column: text<RecipientName>('card').orNull(),
    shown: 'to all',
    seen: orNull(type),
    listed: { as: 'payout_method', by: { facet: 6 }, shape: anyOf(recipientNames), many: true },
    exported: 6,
  },
  payout_method_data: {
    shape: recipientShape,
    by: 'browser',
    kept: 'vault',
    shown: 'computed',
    seen: orNull(Type.Object({}, { additionalProperties: true, description: 'Masked payout method' })),
  },
  source_bank_data: {
    shape: kept,
    shown: 'to all',
    from: 'nothing',
    seen: objectOrNull,
    check: () => refuse('not_supported', { problem: noAccounts }),
  },
  billing: {
    shape: address,
    by: 'browser',
    kept: 'request',
    shown: 'to all',
    seen: objectOrNull,
    personal: true,
    toProcessor: true,
    description: 'Billing address of the recipient. Its country also affects routing',
  },
  auto_fulfill: {
    shape: bool,
    kept: 'column',
    column: flag(),
    initial: false,
    shown: 'to all',
    description: 'true: the payout is paid out when it is confirmed; false (default): it waits for fulfill',
  },
  customer_id: {
    shape: payer.customer_id.shape,
    by: 'browser',
    kept: 'column',
    column: text().orNull(),
    shown: 'to all',
    listed: { by: { id: 'customer_id' }, shape: boundedText(64) },
    exported: 8,
    description: "The merchant's id of the customer",
  },
  customer: {
    shape: payer.customer.shape,
    kept: 'request',
    shown: 'computed',
    seen: objectOrNull,
    personal: true,
    description: 'The customer who is paid',
  },
  client_secret: {
    shape: shortText,
    in: ['update', 'confirm'],
    by: 'browser',
    column: text().fixed(),
    shown: 'to all',
    description:
      "Allows a browser with the publishable key to confirm this payout until its session ends. Pass it only to the recipient's browser, and never log it",
  },
  return_url: {
    shape: boundedText(2048),
    kept: 'request',
    shown: 'to all',
    seen: textOrNull,
    check: checkAddress,
    description: 'URL that the recipient is redirected to from the page of the payout link',
  },
  business_country: { shape: country, kept: 'request', shown: 'to all', seen: textOrNull, does: choosesProfile },
  business_label: { shape: shortText, kept: 'request', shown: 'to all', seen: textOrNull, does: choosesProfile },
  description: {
    shape: boundedText(1024),
    kept: 'request',
    shown: 'to all',
    seen: textOrNull,
    toProcessor: true,
    personal: true,
    description: 'What the payout is for, as free text; sent to processors that accept it',
  },
  entity_type: {
    shape: entity,
    kept: 'column',
    column: text<Static<typeof entity>>('Individual'),
    initial: 'Individual',
    shown: 'to all',
    seen: entity,
    toProcessor: true,
    listed: { by: { facet: 7 }, shape: anyOf(entityTypes), many: 'or one' },
    exported: 7,
  },
  recurring: {
    shape: bool,
    kept: 'column',
    column: flag(),
    initial: false,
    shown: 'to all',
    description: 'true: the payout method is saved for the customer after a successful payout (payout_method_id)',
  },
  metadata: {
    shape: metadata,
    kept: 'request',
    shown: 'to the server',
    seen: objectOrNull,
    does: 'describes',
    check: checkMetadata,
    exported: 17,
    description: 'Up to 50 keys of up to 40 characters with values of up to 500; returned as sent',
  },
  merchant_connector_id: {
    column: text().orNull(),
    shown: 'to all',
    listed: { by: { facet: 4 }, shape: boundedText(64), many: true },
    exported: 10,
    description: 'Id of the connector account',
  },
  status: {
    column: word('payout_status', statesOf(lifecycle)),
    initial: 'requires_payout_method_data',
    shown: 'to all',
    seen: status,
    listed: { by: { facet: 1 }, shape: anyOf([...Object.keys(statuses), ...neverHere]), many: true },
    exported: 3,
    description: 'Status of the payout; see the table of statuses',
  },
  error_message: { ...ofLastError, exported: 14, description: "The processor's error message" },
  error_code: { ...ofLastError, exported: 13, description: "The processor's error code" },
  payout_token: { shape: shortText, description: 'Token of a saved payout method, valid for 15 minutes' },
  profile_id: {
    shape: boundedText(64),
    kept: 'column',
    column: text(),
    shown: 'to all',
    listed: { by: { facet: 5 }, shape: boundedText(64), description: 'Business profile of the payout' },
    exported: 12,
    description: 'Business profile of the payout; defaults to the default profile',
  },
  created: { column: time().fixed(), shown: 'to all', seen: orNull(dateTime), exported: 16, description: 'Time of creation' },
  connector_transaction_id: {
    column: text().orNull(),
    shown: 'to all',
    exported: 11,
    description: "The processor's id of the payout",
  },
  priority: { shape: Type.Enum(payoutPriorities), kept: 'request', shown: 'to all', toProcessor: true },
  payout_link: {
    shape: bool,
    kept: 'request',
    shown: 'computed',
    seen: orNull(Type.Object({ payout_link_id: anyText, link: anyText })),
  },
  payout_link_config: {
    shape: payoutLinkShape,
    kept: 'request',
    check: checkPayoutLink,
    inside: { test_mode: 'The page of a payout link can always be opened outside a frame' },
  },
  session_expiry: {
    shape: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Seconds from creation; 0 expires at once' }),
    kept: 'request',
  },
  email: { shape: shortText, by: 'browser', kept: 'request', shown: 'computed', seen: textOrNull, personal: true },
  name: { shape: shortText, by: 'browser', kept: 'request', shown: 'computed', seen: textOrNull, personal: true },
  phone: { shape: shortText, by: 'browser', kept: 'request', shown: 'computed', seen: textOrNull, personal: true },
  phone_country_code: { shape: shortText, by: 'browser', kept: 'request', shown: 'computed', seen: textOrNull, personal: true },
  unified_code: { ...ofLastError, exported: 15, description: 'Unified error code, the same for all processors' },
  unified_message: { ...ofLastError, description: 'Unified error message, the same for all processors' },
  payout_method_id: { shape: boundedText(64), column: text().orNull(), shown: 'to all' },
  browser_info: {
    shape: payer.browser_info.shape,
    by: 'browser',
    does: keptOnly('Browser data of recipients is not used'),
  },
  attempts: { shown: 'computed' },
} as const satisfies Record<string, Field<'create' | 'update' | 'confirm'>>
