import { equal } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { paymentSettings, payoutSettings } from '../sandbox/homes.ts'
import { connectors } from '../src/connectors/all.ts'
import { type Answer, type Body, http } from './call.ts'
import { cards } from './cards.ts'

export const card = (number: string = cards.approves): Body => ({
  card: { card_number: number, card_exp_month: '12', card_exp_year: '2040', card_cvc: '737' },
})

export type PayAsk = { amount?: number; currency?: string; card?: string; [member: string]: unknown }

/**
 * Gives the body of a create call that also confirms: 12.50 USD by a card that is approved, unless the test names
 * another.
 */
export const payBody = ({ card: number, ...rest }: PayAsk = {}): Body => ({
  amount: 1250,
  currency: 'USD',
  confirm: true,
  payment_method: 'card',
  payment_method_data: card(number),
  authentication_type: 'no_three_ds',
  ...rest,
})

export const succeed = async (answer: Promise<Answer>): Promise<Body> => {
  const { status, body, text } = await answer
  equal(status, 200, text)
  return body
}

type MerchantAsk = {
  merchant_id: string
  /** The members of the merchant account besides its id; by default a `return_url`. */
  account?: Body
  /** The API key of the merchant's account at the sandbox. */
  sandboxKey: string
  /** The connector of the connector account; by default the sandbox's own. */
  connector?: string | undefined
  metadata?: Body
}

/** Gives the credentials of a connector account: the sandbox accepts one key for all members. */
export function keysOf(connector: string, key: string): Body {
  const { auth_type, members } = connectors[connector]!.credentials
  return { auth_type, ...Object.fromEntries(members.map(name => [name, key])) }
}

/** Gives the metadata that an account of this connector requires: at the sandbox, amounts are in major units. */
function neededBy(connector: string, type = 'payment_processor', sandbox?: string): Body | undefined {
  const unit = connectors[connector]!.settings?.amount_unit
  if (unit && (unit.of ?? type) === type) return { amount_unit: 'major' }
  if (type === 'payment_processor' && Object.keys(paymentSettings(connector)).length > 0) return paymentSettings(connector)
  return type === 'payout_processor' && sandbox !== undefined ? payoutSettings(connector, sandbox) : undefined
}

/** Adds a connector account to a merchant, at the sandbox, which speaks the API of this connector's processor. */
export const addAccount = async (
  { url, merchant_id, api_key, processor }: { url: string; merchant_id: string; api_key: string; processor?: { url: string } },
  connector: string,
  more: Body = {},
): Promise<Body> => {
  const needed = neededBy(connector, more.connector_type, processor?.url)
  const body = {
    connector_type: 'payment_processor',
    connector_name: connector,
    connector_account_details: keysOf(connector, `sandbox_${merchant_id}_${connector}`),
    ...more,
    ...((more.metadata || needed) && { metadata: { ...needed, ...more.metadata } }),
  }
  return succeed(http('POST', `${url}/account/${merchant_id}/connectors`, body, { 'api-key': api_key }))
}

/**
 * Adds an authentication account to a merchant, at the 3-D Secure directory of the sandbox account that charges its
 * payments: its customers can be authenticated separately from the processor.
 */
export async function addDirectory(merchant: { url: string; merchant_id: string; api_key: string }, sandboxKey: string): Promise<Body> {
  const account = await addAccount(merchant, 'phonypay', {
    connector_type: 'authentication_processor',
    connector_label: 'directory',
    connector_account_details: keysOf('phonypay', sandboxKey),
  })
  await succeed(
    http(
      'POST',
      `${merchant.url}/account/${merchant.merchant_id}/business_profile/${account.profile_id}`,
      { authentication_connector_details: { authentication_connectors: ['phonypay'], three_ds_requestor_url: 'https://shop.example/' } },
      { 'api-key': merchant.api_key },
    ),
  )
  return account
}

/** The settings of an account that is enabled for cards only. */
export const onlyCards = {
  connector_type: 'payment_processor',
  payment_methods_enabled: [
    { payment_method: 'card', payment_method_types: [{ payment_method_type: 'credit' }, { payment_method_type: 'debit' }] },
  ],
}

/** Opens a merchant with an API key and a connector account at the sandbox. */
export async function openMerchant(
  url: string,
  adminKey: string,
  { merchant_id, account: more, sandboxKey, connector = 'phonypay', metadata }: MerchantAsk,
) {
  const admin = { 'api-key': adminKey }
  const post = (path: string, body: unknown) => succeed(http('POST', url + path, body, admin))
  const account = await post('/accounts', { merchant_id, ...(more ?? { return_url: 'https://shop.example/thanks' }) })
  const { api_key } = await post(`/api_keys/${merchant_id}`, { name: 'tests', expiration: 'never' })
  const webhook_secret = randomBytes(12).toString('hex')
  const { merchant_connector_id } = await post(`/account/${merchant_id}/connectors`, {
    connector_type: 'payment_processor',
    connector_name: connector,
    connector_account_details: keysOf(connector, sandboxKey),
    connector_webhook_details: { merchant_secret: webhook_secret },
    ...((metadata || neededBy(connector)) && { metadata: { ...neededBy(connector), ...metadata } }),
  })
  return {
    merchant_id,
    api_key: api_key as string,
    publishable_key: account.publishable_key as string,
    merchant_connector_id: merchant_connector_id as string,
    webhook_secret,
  }
}
