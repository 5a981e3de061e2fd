import { openProcessor } from './processor.ts'
import { type Body, openShop, type Shop } from './shop.ts'

/** Opens a shop with two accounts at the sandbox, `first` and `second`, between which routing chooses. */
export async function openTwoAccounts(options: Parameters<typeof openShop>[0] = {}) {
  const shop = await openShop(options)
  const key = `sandbox_${shop.merchant_id}_second`
  const second = (await addAccount(shop, { connector_label: 'second' }, key)).merchant_connector_id as string
  const { profile_id } = (await shop.call('GET', '/routing/default/profile')).body[0]
  const first = shop.merchant_connector_id
  return { ...shop, profile_id: profile_id as string, first, second, secondProcessor: openProcessor(shop.processor.url, key) }
}
export type TwoAccounts = Awaited<ReturnType<typeof openTwoAccounts>>

export const addAccount = async (shop: Pick<Shop, 'post' | 'merchant_id'>, more: Body, api_key: string): Promise<Body> =>
  (
    await shop.post(`/account/${shop.merchant_id}/connectors`, {
      connector_type: 'payment_processor',
      connector_name: 'phonypay',
      connector_account_details: { auth_type: 'HeaderKey', api_key },
      ...more,
    })
  ).body

/** Makes a routing algorithm and activates it. Gives its id. */
export async function activate(shop: TwoAccounts, algorithm: Body): Promise<string> {
  const { id } = (await shop.post('/routing', { name: 'rules', description: 'd', profile_id: shop.profile_id, algorithm })).body
  await shop.post(`/routing/${id}/activate`, {})
  return id
}

/** Gives the attempts of a payment. */
export const attemptsOf = async (shop: Pick<Shop, 'get'>, payment_id: string): Promise<Body[]> =>
  (await shop.get(payment_id, '?expand_attempts=true')).attempts
