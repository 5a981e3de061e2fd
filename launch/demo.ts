// The demo shop of test mode: a merchant with a key and the sandbox as its processor, made through the front door like anybody's.
// Every step first looks whether it is done, and what must be known afterwards is kept before it is used: a start that died half way is
// completed by the next one, and a database that forgot the shop gets it again.
import { randomBytes } from 'node:crypto'
import { type Answer, ask } from './ask.ts'
import { keep, readKept } from './keep.ts'

export type Demo = {
  admin_api_key: string
  merchant_id: string
  api_key: string
  publishable_key: string
  profile_id: string
  merchant_connector_id: string
  webhook_secret: string
}

const merchant = 'demo'
const sandboxKey = 'sandbox_demo'

/** The admin's key: made once, before the service starts for the first time. */
export function adminKey(file: string): string {
  const kept = readKept<Demo>(file)
  if (kept.admin_api_key !== undefined) return kept.admin_api_key
  const made = `admin_${randomBytes(24).toString('base64url')}`
  keep(file, { ...kept, admin_api_key: made })
  return made
}

export async function openDemoShop(place: { base: string; adminKey: string; sandbox: string | null; file: string }): Promise<Demo> {
  const kept = readKept<Demo>(place.file)
  const note = (more: Partial<Demo>) => keep(place.file, Object.assign(kept, more))
  const admin = { 'api-key': place.adminKey }
  const api = (method: string, path: string, body?: unknown) => ask(method, place.base + path, admin, body)

  let account = await api('GET', `/accounts/${merchant}`)
  if (account.status === 404) account = await api('POST', '/accounts', { merchant_id: merchant, merchant_name: 'Demo shop' })
  const { publishable_key, default_profile } = expect(account, 'the demo merchant')
  note({ merchant_id: merchant, publishable_key: String(publishable_key), profile_id: String(default_profile) })

  if (kept.api_key === undefined || !(await opens(place.base, kept.api_key))) {
    const made = await api('POST', `/api_keys/${merchant}`, { name: 'demo', expiration: 'never' })
    note({ api_key: String(expect(made, 'its secret key').api_key) })
  }

  if (kept.webhook_secret === undefined) note({ webhook_secret: randomBytes(24).toString('base64url') })
  const connector = await findConnector(kept, api)
  if (connector !== kept.merchant_connector_id) note({ merchant_connector_id: connector })

  if (place.sandbox !== null && connector !== '') {
    const news = { webhook_url: `${place.base}/webhooks/${merchant}/${connector}`, webhook_secret: kept.webhook_secret }
    expect(
      await ask('PUT', `${place.sandbox}/control/account`, { authorization: `Bearer ${sandboxKey}` }, news),
      'where the sandbox sends webhooks',
    )
  }
  return kept as Demo
}

async function opens(base: string, apiKey: string): Promise<boolean> {
  return (await ask('GET', `${base}/account/${merchant}/connectors`, { 'api-key': apiKey })).status === 200
}

/** The shop's sandbox account, or '' where its owner removed it in favour of others. */
async function findConnector(kept: Partial<Demo>, api: (method: string, path: string, body?: unknown) => Promise<Answer>): Promise<string> {
  const path = `/account/${merchant}/connectors`
  const secret = { connector_webhook_details: { merchant_secret: kept.webhook_secret } }
  const list = expect(await api('GET', path), 'its processors') as unknown as {
    merchant_connector_id: string
    connector_name: string
  }[]
  if (list.some(one => one.merchant_connector_id === kept.merchant_connector_id)) return kept.merchant_connector_id!
  const same = list.find(one => one.connector_name === 'phonypay')
  if (same !== undefined) {
    // Made by a start that died before it could note it, or our notes were deleted: then its secret is not the one we know now.
    expect(await api('POST', `${path}/${same.merchant_connector_id}`, { connector_type: 'payment_processor', ...secret }), 'its processor')
    return same.merchant_connector_id
  }
  if (list.length > 0) return ''
  const made = await api('POST', path, {
    connector_type: 'payment_processor',
    connector_name: 'phonypay',
    connector_account_details: { auth_type: 'HeaderKey', api_key: sandboxKey },
    ...secret,
  })
  return String(expect(made, 'its processor').merchant_connector_id)
}

function expect(answer: Answer, what: string): Record<string, unknown> {
  if (answer.status >= 200 && answer.status < 300) return answer.body as Record<string, unknown>
  throw new Error(`the demo shop could not be opened: asked for ${what}, the answer was ${answer.status} ${JSON.stringify(answer.body)}`)
}
