import { type OtherFamily, otherFamilies } from '../../../src/connectors/instrument.ts'
import { type Body, card } from '../../shop.ts'
import { flat, paidBy, ways } from '../../ways.ts'
import { harmless, notYet, particular, repeating, shapeOf } from './attacks.ts'
import { at, fieldsOf, nameOf, sample } from './fields.ts'

/** Valid requests of payments, into which a test puts one bad value. */

/** The kinds of payment method data other than a card. */
export const kinds: readonly string[] = ['card_token', ...otherFamilies]

/** Gives the credentials of an account at the sandbox, as members of a payment request. */
export const bringing = (api_key: string, creds_identifier = 'till'): Body => ({
  connector: ['phonypay'],
  merchant_connector_details: { creds_identifier, encoded_data: { connector_account_details: { auth_type: 'HeaderKey', api_key } } },
})

/** The other names under which clients send a payment method, each with its own name. */
const otherNames: { readonly [F in OtherFamily]?: Readonly<Record<string, string>> } = {
  bank_redirect: { open_banking_pis: 'open_banking' },
  open_banking: { open_banking: 'open_banking_pis' },
  real_time_payment: { duit_now_qr: 'duit_now' },
}

/** Gives the payment method that a field belongs to: of two forms under one name, the form that has the field. */
function wayOf(family: OtherFamily, path: readonly string[]): string {
  const [first = ''] = Object.keys(ways[family])
  const asked = otherNames[family]?.[path[2]!] ?? path[2]
  const name = asked !== undefined && asked in ways[family] ? asked : first
  const has = (way: string) => way in ways[family] && at(paidBy(family, way).payment_method_data, path.slice(1)) !== undefined
  return [name, `${name}_decrypted`].find(has) ?? name
}

let tills = 0

/** Gives a valid body in which this field makes sense. */
export function hostOf(path: readonly string[], confirm: boolean): Body {
  const host: Body = {
    amount: 1250,
    currency: 'USD',
    capture_method: 'manual',
    authentication_type: 'no_three_ds',
    payment_method: 'card',
    payment_method_data: card(),
  }
  if (confirm) {
    delete host.amount
    delete host.currency
  }
  if (path[0] === 'payment_method_data' && kinds.includes(path[1]!)) {
    delete host.payment_method_data
    host.payment_method = path[1] === 'card_token' ? 'card' : path[1]
    if (path[1] !== 'card_token') {
      const family = path[1] as OtherFamily
      Object.assign(host, paidBy(family, wayOf(family, path)))
      if (otherNames[family]?.[path[2]!]) host.payment_method_data = { [family]: { [path[2]!]: {} } }
      host.capture_method = 'automatic'
      // A value for the whole payment method must be the only one.
      if (path.length < (flat.includes(family) ? 3 : 4)) delete host.payment_method_data
    }
  }
  if (path[0]?.startsWith('payment_link') && !confirm) host.payment_link = true
  if (path[1] === 'background_image' && path.length > 2)
    host.payment_link_config = { background_image: { url: 'https://shop.example/wall.png' } }
  if (path[0] === 'force_3ds_challenge') host.authentication_type = 'three_ds'
  // `three_ds_data` is accepted only together with the confirmation.
  if (path[0] === 'three_ds_data' && !confirm) host.confirm = true
  if (path[0] === 'three_ds_data' && path.length > 1)
    host.three_ds_data = {
      transaction_status: 'Y',
      authentication_cryptogram: { cavv: { authentication_cryptogram: 'AAABBBCCCDDDEEEFFFGGGHHHIII=' } },
      ds_trans_id: '9b3a4c2e-1f0d-4b6a-8c7e-2d5f6a7b8c9d',
      version: '2.2.0',
      eci: '05',
    }
  // The payment uses the one payment method type that the smallest such list contains.
  if (path[0] === 'allowed_payment_method_types') Object.assign(host, paidBy('wallet', 'we_chat_pay_qr'))
  if (path[0] === 'capture_on') host.capture_method = 'scheduled'
  if (path[0] === 'off_session') host.customer_id = 'cus_grace'
  if (path[0] === 'mandate_data') {
    host.customer_id = 'cus_grace'
    if (path.length > 1) host.setup_future_usage = 'off_session'
    const mandate_type = { multi_use: { amount: 5000, currency: 'USD' } }
    host.mandate_data = {
      customer_acceptance: { acceptance_type: 'offline' },
      ...(nameOf(path) !== 'mandate_data.mandate_type' && { mandate_type }),
    }
    if (path[2] === 'single_use') host.mandate_data.mandate_type = { single_use: mandate_type.multi_use }
  }
  if (path[0] === 'merchant_connector_details') Object.assign(host, bringing('sandbox_till', `till ${++tills}`))
  // A value for the whole card must be the only one.
  if (nameOf(path) === 'payment_method_data.card') delete host.payment_method_data
  return host
}

/** Values of fields that fit the card of the payment and the other members. */
const chosen: Body = {
  session_expiry: 900,
  payment_method_type: 'credit',
  payment_experience: 'redirect_to_url',
  force_3ds_challenge: false,
}

/** Gives a payment request with every member that can stand beside the others: one payment method, charged once. */
export function full(): Body {
  const host = hostOf([], false)
  for (const { path, schema } of fieldsOf(shapeOf('createPayment'))) {
    if (
      path.length !== 1 ||
      path[0]! in host ||
      [...notYet, ...particular, ...repeating, 'confirm', 'customer', 'card_cvc', 'payment_token', 'capture_on'].includes(path[0]!)
    )
      continue
    const [usual] = harmless(path[0]!)
    host[path[0]!] = chosen[path[0]!] ?? usual ?? sample(schema)
  }
  host.routing = { type: 'single', data: 'phonypay' }
  host.allowed_payment_method_types = ['credit', 'debit']
  host.merchant_connector_details = bringing('sandbox_till').merchant_connector_details
  return host
}
