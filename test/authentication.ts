import { ok } from 'node:assert/strict'
import { addDirectory } from './merchant.ts'
import { type Answer, type Body, http, openShop, type PayAsk, type Shop } from './shop.ts'

/**
 * A shop whose customers are authenticated by an authentication account of the shop, and the steps of their browsers.
 */

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/**
 * Opens a shop with an account that authenticates: the 3-D Secure directory of the sandbox account that charges its
 * payments.
 */
export async function openAuthenticatingShop(options: Parameters<typeof openShop>[0] = {}) {
  const sandboxKey = `sandbox_shop_${crypto.randomUUID().slice(0, 12)}`
  const shop = await openShop({ sandboxKey, ...options })
  const account = await addDirectory(shop, sandboxKey)
  return { ...shop, directory_id: account.merchant_connector_id as string }
}

export const apart: PayAsk = { authentication_type: 'three_ds', request_external_three_ds_authentication: true }

/** Creates a payment whose customer is to be authenticated. */
export const begin = (shop: Pick<Shop, 'pay'>, ask: PayAsk = {}): Promise<Body> => shop.pay({ ...apart, ...ask })

/** Gives the steps that a customer's browser takes in the checkout of this payment. */
export function checkout(shop: Pick<Shop, 'url' | 'publishable_key'>, payment: Body) {
  const { three_ds_data } = payment.next_action
  const askIssuer = (more: Body = {}): Promise<Answer> =>
    http(
      'POST',
      three_ds_data.three_ds_authentication_url,
      { client_secret: payment.client_secret, device_channel: 'BRW', threeds_method_comp_ind: 'Y', ...more },
      { 'api-key': shop.publishable_key },
    )
  return {
    data: three_ds_data,
    askIssuer,
    /** Opens the issuer's hidden page (the 3DS method). */
    method: (): Promise<Answer> => {
      const { three_ds_method_url, three_ds_method_key, three_ds_method_data } = three_ds_data.three_ds_method_details
      return http('POST', three_ds_method_url, `${three_ds_method_key}=${three_ds_method_data}`, FORM)
    },
    /**
     * Answers the issuer's challenge as the customer; gives the address to which the issuer sends the browser back,
     * and the body that the browser posts.
     */
    async challenge(word: 'accept' | 'reject'): Promise<{ address: string; body: string }> {
      const { acs_url, challenge_request, challenge_request_key } = (await askIssuer()).body
      const page = await http('POST', acs_url, `${challenge_request_key}=${challenge_request}`, FORM)
      const action = page.text.match(new RegExp(`action="([^"]+/${word})"`))?.[1]
      ok(action, page.text)
      const { text } = await http('POST', new URL(action, acs_url).href, '', FORM)
      const [, address, cres] = text.match(/action="([^"]*)"><input type="hidden" name="cres" value="([^"]*)"/) ?? []
      ok(address && cres, text)
      return { address, body: `cres=${cres}` }
    },
    /** Opens our page at the end of the authentication; gives the message that the page has for the checkout. */
    async goOn(body = ''): Promise<Body> {
      const page = await http('POST', three_ds_data.three_ds_authorize_url, body, FORM)
      const message = page.text.match(/data-says="([^"]*)"/)?.[1]
      ok(message, page.text)
      return JSON.parse(message.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
    },
    poll: async (): Promise<string> =>
      (await http('GET', `${shop.url}/poll/status/${three_ds_data.poll_config.poll_id}`, undefined, { 'api-key': shop.publishable_key }))
        .body.status,
  }
}
