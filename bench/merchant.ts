import { request } from 'undici'
import { keysOf } from '../launch/demo.ts'

/** Creates a merchant with an API key and a connector account. Returns the key. */
export async function openMerchant(url: string, adminKey: string, name: string, connector = 'phonypay'): Promise<string> {
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await request(url + path, {
      method: 'POST',
      headers: { 'api-key': adminKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`POST ${path}: ${answer.statusCode} ${text}`)
    return JSON.parse(text)
  }
  await post('/accounts', { merchant_id: name, return_url: 'https://shop.example/thanks' })
  const { api_key } = await post(`/api_keys/${name}`, { name: 'bench', expiration: 'never' })
  await post(`/account/${name}/connectors`, {
    connector_type: 'payment_processor',
    connector_name: connector,
    connector_account_details: keysOf(connector, `sandbox_${name}`),
  })
  return api_key as string
}
