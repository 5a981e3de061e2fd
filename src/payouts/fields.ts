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

const contact = {
  shape: shortText,
  settableBy: 'browser',
  storedIn: 'request',
  visibility: 'computed',
  responseShape: textOrNull,
  personal: true,
} as const
const ofLastError = { from: 'last_error', visibility: 'to all', responseShape: textOrNull } as const

/** Every member, in the order of responses. A new one needs an entry, and a migration if it has a column. */
export const payoutFields = {
  payout_id: {
    shape: anyText,
    storedIn: 'column',
    column: text(),
    visibility: 'to all',
    check: checkChosenId,
    filter: { by: 'own id', shape: Type.String({ minLength: 30, maxLength: 30 }) },
    exportPosition: 1,
    description: 'Exactly 30 characters. If sent, it makes creation idempotent; otherwise it is generated',
  },
  merchant_id: {
    shape: shortText,
    column: text(),
    visibility: 'computed',
    check: checkNamedMerchant,
    description: "The merchant's id; inferred from the API key",
  },
  merchant_order_reference_id: {
    shape: shortText,
    storedIn: 'column',
    column: text().orNull(),
    visibility: 'to all',
    effect: 'describes',
    filter: { by: { id: 'reference' }, shape: shortText },
    exportPosition: 2,
    description: "The merchant's order number",
  },
  amount: {
    shape: Type.Integer({ minimum: 0, maximum: LARGEST_AMOUNT, description: 'Lowest denomination of the currency' }),
    requiredIn: ['create'],
    storedIn: 'column',
    column: bigint(),
    visibility: 'to all',
    exportPosition: 4,
  },
  currency: {
    shape: currency,
    requiredIn: ['create'],
    storedIn: 'column',
    column: text<Currency>('USD'),
    visibility: 'to all',
    responseShape: currency,
    filter: { by: { facet: 2 }, shape: currency, many: 'or one' },
    exportPosition: 5,
    description: 'ISO 4217, three letters',
  },
  confirm: { shape: bool, acceptedIn: ['create', 'update'], description: 'true: confirm in the same call' },
  connector: {
    shape: Type.Array(Type.Enum(Object.keys(connectors)), { description: 'Limits the payout to these connectors' }),
    storedIn: 'request',
    column: text().orNull(),
    visibility: 'to all',
    filter: { by: { facet: 3 }, shape: shortText, many: true },
    exportPosition: 9,
    description: 'The processor of the payout',
  },
  routing: { shape: algorithmShape, storedIn: 'request', check: checkRouting },
  payout_type: {
    shape: type,
    settableBy: 'browser',
    storedIn: 'column',
    column: text<RecipientName>('card').orNull(),
    visibility: 'to all',
    responseShape: orNull(type),
    filter: { as: 'payout_method', by: { facet: 6 }, shape: anyOf(recipientNames), many: true },
    exportPosition: 6,
  },
  payout_method_data: {
    shape: recipientShape,
    settableBy: 'browser',
    storedIn: 'vault',
    visibility: 'computed',
    responseShape: orNull(Type.Object({}, { additionalProperties: true, description: 'Masked payout method' })),
  },
  source_bank_data: {
    shape: kept,
    visibility: 'to all',
    from: 'nothing',
    responseShape: objectOrNull,
    check: () => refuse('not_supported', { problem: noAccounts }),
  },
  billing: {
    shape: address,
    settableBy: 'browser',
    storedIn: 'request',
    visibility: 'to all',
    responseShape: objectOrNull,
    personal: true,
    sentToProcessor: true,
    description: 'Billing address of the recipient. Its country also affects routing',
  },
  auto_fulfill: {
    shape: bool,
    storedIn: 'column',
    column: flag(),
    initial: false,
    visibility: 'to all',
    description: 'true: the payout is paid out when it is confirmed; false (default): it waits for fulfill',
  },
  customer_id: {
    shape: payer.customer_id.shape,
    settableBy: 'browser',
    storedIn: 'column',
    column: text().orNull(),
    visibility: 'to all',
    filter: { by: { id: 'customer_id' }, shape: boundedText(64) },
    exportPosition: 8,
    description: "The merchant's id of the customer",
  },
  customer: {
    shape: payer.customer.shape,
    storedIn: 'request',
    visibility: 'computed',
    responseShape: objectOrNull,
    personal: true,
    description: 'The customer who is paid',
  },
  client_secret: {
    shape: shortText,
    acceptedIn: ['update', 'confirm'],
    settableBy: 'browser',
    column: text().fixed(),
    visibility: 'to all',
    description:
      "Allows a browser with the publishable key to confirm this payout until its session ends. Pass it only to the recipient's browser, and never log it",
  },
  return_url: {
    shape: boundedText(2048),
    storedIn: 'request',
    visibility: 'to all',
    responseShape: textOrNull,
    check: checkAddress,
    description: 'URL that the recipient is redirected to from the page of the payout link',
  },
  business_country: { shape: country, storedIn: 'request', visibility: 'to all', responseShape: textOrNull, effect: choosesProfile },
  business_label: { shape: shortText, storedIn: 'request', visibility: 'to all', responseShape: textOrNull, effect: choosesProfile },
  description: {
    shape: boundedText(1024),
    storedIn: 'request',
    visibility: 'to all',
    responseShape: textOrNull,
    sentToProcessor: true,
    personal: true,
    description: 'What the payout is for, as free text; sent to processors that accept it',
  },
  entity_type: {
    shape: entity,
    storedIn: 'column',
    column: text<Static<typeof entity>>('Individual'),
    initial: 'Individual',
    visibility: 'to all',
    responseShape: entity,
    sentToProcessor: true,
    filter: { by: { facet: 7 }, shape: anyOf(entityTypes), many: 'or one' },
    exportPosition: 7,
  },
  recurring: {
    shape: bool,
    storedIn: 'column',
    column: flag(),
    initial: false,
    visibility: 'to all',
    description: 'true: the payout method is saved for the customer after a successful payout (payout_method_id)',
  },
  metadata: {
    shape: metadata,
    storedIn: 'request',
    visibility: 'to the server',
    responseShape: objectOrNull,
    effect: 'describes',
    check: checkMetadata,
    exportPosition: 17,
    description: 'Up to 50 keys of up to 40 characters with values of up to 500; returned as sent',
  },
  merchant_connector_id: {
    column: text().orNull(),
    visibility: 'to all',
    filter: { by: { facet: 4 }, shape: boundedText(64), many: true },
    exportPosition: 10,
    description: 'Id of the connector account',
  },
  status: {
    column: word('payout_status', statesOf(lifecycle)),
    initial: 'requires_payout_method_data',
    visibility: 'to all',
    responseShape: status,
    filter: { by: { facet: 1 }, shape: anyOf([...Object.keys(statuses), ...neverHere]), many: true },
    exportPosition: 3,
    description: 'Status of the payout; see the table of statuses',
  },
  error_message: { ...ofLastError, exportPosition: 14, description: "The processor's error message" },
  error_code: { ...ofLastError, exportPosition: 13, description: "The processor's error code" },
  payout_token: { shape: shortText, description: 'Token of a saved payout method, valid for 15 minutes' },
  profile_id: {
    shape: boundedText(64),
    storedIn: 'column',
    column: text(),
    visibility: 'to all',
    filter: { by: { facet: 5 }, shape: boundedText(64), description: 'Business profile of the payout' },
    exportPosition: 12,
    description: 'Business profile of the payout; defaults to the default profile',
  },
  created: {
    column: time().fixed(),
    visibility: 'to all',
    responseShape: orNull(dateTime),
    exportPosition: 16,
    description: 'Time of creation',
  },
  connector_transaction_id: {
    column: text().orNull(),
    visibility: 'to all',
    exportPosition: 11,
    description: "The processor's id of the payout",
  },
  priority: { shape: Type.Enum(payoutPriorities), storedIn: 'request', visibility: 'to all', sentToProcessor: true },
  payout_link: {
    shape: bool,
    storedIn: 'request',
    visibility: 'computed',
    responseShape: orNull(Type.Object({ payout_link_id: anyText, link: anyText })),
  },
  payout_link_config: {
    shape: payoutLinkShape,
    storedIn: 'request',
    check: checkPayoutLink,
    storedOnlyMembers: { test_mode: 'The page of a payout link can always be opened outside a frame' },
  },
  session_expiry: {
    shape: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Seconds from creation; 0 expires at once' }),
    storedIn: 'request',
  },
  email: contact,
  name: contact,
  phone: contact,
  phone_country_code: contact,
  unified_code: { ...ofLastError, exportPosition: 15, description: 'Unified error code, the same for all processors' },
  unified_message: { ...ofLastError, description: 'Unified error message, the same for all processors' },
  payout_method_id: { shape: boundedText(64), column: text().orNull(), visibility: 'to all' },
  browser_info: { shape: payer.browser_info.shape, settableBy: 'browser', effect: keptOnly('Browser data of recipients is not used') },
  attempts: { visibility: 'computed' },
} as const satisfies Record<string, Field<'create' | 'update' | 'confirm'>>
