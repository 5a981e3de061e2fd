import { randomBytes } from 'node:crypto'
import { openMerchant, succeed } from './merchant.ts'
import { ADMIN_KEY, type Body, http, openPlace } from './shop.ts'

/** Opens a platform with connected accounts: an organization of its own, and its secret key. */
export async function openPlatform() {
  const { url } = (await openPlace()).service
  const name = randomBytes(6).toString('hex')
  const platform_id = `platform_${name}`
  const admin = (path: string, body: Body): Promise<Body> => succeed(http('POST', url + path, body, { 'api-key': ADMIN_KEY }))
  const { organization_id, publishable_key } = await admin('/accounts', { merchant_id: platform_id, merchant_account_type: 'platform' })
  const { api_key } = await admin(`/api_keys/${platform_id}`, { name: 'tests', expiration: 'never' })

  /** Makes a call with the platform's key; on behalf of the connected account, if one is named. */
  const call = (method: string, path: string, body?: unknown, connected?: string, headers: Record<string, string> = {}) =>
    http(method, url + path, body, {
      'api-key': api_key,
      ...(connected !== undefined && { 'x-connected-merchant-id': connected }),
      ...headers,
    })

  return {
    platform_id,
    organization_id: organization_id as string,
    api_key: api_key as string,
    publishable_key: publishable_key as string,
    call,
    post: (path: string, body: unknown, connected?: string, headers?: Record<string, string>) =>
      call('POST', path, body, connected, headers),
    /** Opens an account that is connected to the platform, with an API key and a connector account at the sandbox. */
    connect: (named = '') => {
      const merchant_id = `connected_${named}${randomBytes(4).toString('hex')}`
      const account = { organization_id, return_url: 'https://shop.example/thanks' }
      return openMerchant(url, ADMIN_KEY, { merchant_id, account, sandboxKey: `sandbox_${merchant_id}` })
    },
  }
}
