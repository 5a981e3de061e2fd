import { ok } from 'node:assert/strict'
import { addDirectory } from './merchant.ts'
import { type Answer, type Body, http, openShop, type PayAsk, type Shop } from './shop.ts'

/** A shop whose customers are authenticated by an account of its own, and what their browsers do. */

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** A shop with an account that authenticates: the directory of the sandbox that it pays at. */
export async function openAuthenticatingShop(options: Parameters<typeof openShop>[0] = {}) {
  const sandboxKey = `sandbox_shop_${crypto.randomUUID().slice(0, 12)}`
  const shop = await openShop({ sandboxKey, ...options })
  const account = await addDirectory(shop, sandboxKey)
  return { ...shop, directory_id: account.merchant_connector_id as string }
}

export const apart: PayAsk = { authentication_type: 'three_ds', request_external_three_ds_authentication: true }

/** A payment whose customer is to be authenticated. */
export const begin = (shop: Pick<Shop, 'pay'>, ask: PayAsk = {}): Promise<Body> => shop.pay({ ...apart, ...ask })

/** What a checkout does with it, as its browser would. */
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
    /** The issuer's hidden page. */
    method: (): Promise<Answer> => {
      const { three_ds_method_url, three_ds_method_key, three_ds_method_data } = three_ds_data.three_ds_method_details
      return http('POST', three_ds_method_url, `${three_ds_method_key}=${three_ds_method_data}`, FORM)
    },
    /**
     * The customer answers the issuer's challenge; gives the address where the issuer sends them back to, and what it
     * sends.
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
    /** Our page at the end; the message that it has for the checkout. */
    async goOn(body = ''): Promise<Body> {
      const page = await http('POST', three_ds_data.three_ds_authorize_url, body, FORM)
      const says = page.text.match(/data-says="([^"]*)"/)?.[1]
      ok(says, page.text)
      return JSON.parse(says.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
    },
    poll: async (): Promise<string> =>
      (await http('GET', `${shop.url}/poll/status/${three_ds_data.poll_config.poll_id}`, undefined, { 'api-key': shop.publishable_key }))
        .body.status,
  }
}
