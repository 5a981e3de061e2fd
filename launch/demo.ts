// Creates the demo shop of test mode: a merchant with a key, and accounts at the sandbox, which simulates each
// processor's own API. The shop is created through the public API like every merchant. Every step first checks whether
// it is done, and saves ids and secrets before they are used. Therefore a later start completes one that died halfway,
// and recreates a shop that the database has lost, or notes that were lost.
import { createHash, randomBytes } from 'node:crypto'
import { inTheDemo, payersInTheDemo, paymentSettings, payoutSettings } from '../sandbox/homes.ts'
import { connectors } from '../src/connectors/all.ts'
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
  /**
   * The processors besides the sandbox's own for which accounts were created: an account that its owner has removed
   * stays removed.
   */
  others?: string[]
  /** The addresses of the service and the sandbox at the last start: for `npm run demo:data`. */
  base?: string
  sandbox?: string | null
}

const sandboxKey = 'sandbox_demo'

/** Returns the credentials of an account at a connector: at the sandbox, one key fills every member. */
export function keysOf(connector: string, key: string): object {
  const { auth_type, members } = connectors[connector]!.credentials
  return { auth_type, ...Object.fromEntries(members.map(name => [name, key])) }
}

/** Returns the admin API key, which is made once, before the service starts for the first time. */
export function adminKey(file: string): string {
  const kept = readKept<Demo>(file)
  if (kept.admin_api_key !== undefined) return kept.admin_api_key
  const made = `admin_${randomBytes(24).toString('base64url')}`
  keep(file, { ...kept, admin_api_key: made })
  return made
}

/**
 * Returns a link that makes the first owner of the shop; null if the shop has an owner, or the release does not
 * support such links.
 */
export async function linkOfFirst(base: string, adminKey: string, { merchant_id }: Pick<Demo, 'merchant_id'>): Promise<string | null> {
  const { status, body } = await ask('POST', `${base}/user/link`, { 'api-key': adminKey }, { merchant_id })
  return status === 200 ? (body as { url: string }).url : null
}

type Place = { base: string; adminKey: string; sandbox: string | null; file: string }

/**
 * Returns the shop of the notes, or as much of it as can be found. If the secret of its webhooks is lost, creates a
 * new shop beside the old one.
 */
export async function openDemoShop(place: Place): Promise<Demo> {
  const kept = readKept<Demo>(place.file)
  const { admin_api_key } = kept
  const another = { ...(admin_api_key !== undefined && { admin_api_key }), merchant_id: `demo_${randomBytes(4).toString('hex')}` }
  return (await openShop(place, kept)) ?? (await openShop(place, another))!
}

async function openShop(place: Place, kept: Partial<Demo>): Promise<Demo | null> {
  const note = (more: Partial<Demo>) => keep(place.file, Object.assign(kept, more))
  const api: Api = (method, path, body) => ask(method, place.base + path, { 'api-key': place.adminKey }, body)
  const merchant = kept.merchant_id ?? 'demo'

  let account = await api('GET', `/accounts/${merchant}`)
  if (account.status === 404) {
    account = await api('POST', '/accounts', { merchant_id: merchant, merchant_name: 'Demo shop' })
    note({ others: [] })
  }
  const { publishable_key, default_profile } = expect(account, 'the demo merchant')
  note({ merchant_id: merchant, publishable_key: String(publishable_key), profile_id: String(default_profile) })

  const connector = (await findConnector(merchant, kept, api)) ?? (await makeConnector(merchant, kept, api, note))
  if (connector !== kept.merchant_connector_id) note({ merchant_connector_id: connector })
  if (place.sandbox !== null && connector !== '') {
    const path = `/webhooks/${merchant}/${connector}`
    const configure = (settings: object) => configureSandbox(place, sandboxKey, settings)
    // The sandbox knows the webhook secret of a connector account that it knows. The service never shows the secret,
    // and the notes may be lost.
    const known = expect(await configure({}), 'what the sandbox knows of it')
    if (known.webhook_secret && String(known.webhook_url).endsWith(path)) note({ webhook_secret: String(known.webhook_secret) })
    if (kept.webhook_secret === undefined) return null
    const webhook = { webhook_url: place.base + path, webhook_secret: kept.webhook_secret }
    expect(await configure(webhook), 'where the sandbox sends webhooks')
    await openOthers(merchant, place, kept, api, note)
  }

  if (kept.api_key === undefined || !(await opens(place.base, merchant, kept.api_key))) {
    const made = await api('POST', `/api_keys/${merchant}`, { name: 'demo', expiration: 'never' })
    note({ api_key: String(expect(made, 'its secret key').api_key) })
  }
  if (kept.base !== place.base || kept.sandbox !== place.sandbox) note({ base: place.base, sandbox: place.sandbox })
  return kept as Demo
}

const configureSandbox = ({ sandbox }: Place, key: string, settings: object): Promise<Answer> =>
  ask('PUT', `${sandbox}/control/account`, { authorization: `Bearer ${key}` }, settings)

type Other = { connector_name: string; connector_type: string; connector_label?: string }

/**
 * All accounts besides the sandbox's own, in the order in which routing tries them. A payout account has a name that
 * differs from the payment account's.
 */
const others: readonly Other[] = [
  ...inTheDemo.map(connector_name => ({ connector_name, connector_type: 'payment_processor' })),
  ...payersInTheDemo.map(name => ({ connector_name: name, connector_type: 'payout_processor', connector_label: `${name}_payouts` })),
]

/** The settings that 54Pay and HoneyCoin require for each account; the amount unit is the sandbox's. */
const kenya = { amount_unit: 'major', country: 'KE', operator: 'mpesa' }

/**
 * Creates an account at each processor whose API the sandbox simulates, once, and tells the sandbox where to send
 * webhooks. The secret of an account's webhooks is derived from the shop's, in hex, as Adyen requires. Accounts are
 * created one after the other, because their order is the order of routing; the sandbox is told about all of them at
 * once.
 */
async function openOthers(merchant: string, place: Place, kept: Partial<Demo>, api: Api, note: (more: Partial<Demo>) => void) {
  const there = await accountsOf(merchant, api)
  const answers: Promise<Answer>[] = []
  for (const other of others) {
    const { connector_name, connector_type, connector_label: name = connector_name } = other
    const key = `${sandboxKey}_${name}`
    const known = there.find(one => one.connector_name === connector_name && one.connector_type === connector_type)
    if (!known && kept.others?.includes(name)) continue
    const webhook_secret = createHash('sha256').update(`${name} ${kept.webhook_secret}`).digest('hex')
    const made = known ?? (await makeAccount(other, key, merchant, { webhook_secret }, api, metadataOf(other, place.sandbox!)))
    if (!kept.others?.includes(name)) note({ others: [...(kept.others ?? []), name] })
    const webhook_url = `${place.base}/webhooks/${merchant}/${made.merchant_connector_id}`
    answers.push(configureSandbox(place, key, { webhook_url, webhook_secret }))
  }
  for (const answer of await Promise.all(answers)) expect(answer, 'where the sandbox sends webhooks')
}

type Api = (method: string, path: string, body?: unknown) => Promise<Answer>

async function opens(base: string, merchant: string, apiKey: string): Promise<boolean> {
  return (await ask('GET', `${base}/account/${merchant}/connectors`, { 'api-key': apiKey })).status === 200
}

type Account = { merchant_connector_id: string; connector_name: string; connector_type: string }

async function accountsOf(merchant: string, api: Api): Promise<Account[]> {
  return expect(await api('GET', `/account/${merchant}/connectors`), 'its processors') as unknown as Account[]
}

/**
 * Returns the id of the shop's sandbox account, including an account that an earlier start created and died before
 * saving its id; '' if the owner replaced the account with others; null if there is none.
 */
async function findConnector(merchant: string, kept: Partial<Demo>, api: Api): Promise<string | null> {
  const list = await accountsOf(merchant, api)
  const own =
    list.find(one => one.merchant_connector_id === kept.merchant_connector_id) ??
    list.find(one => one.connector_name === 'phonypay' && one.connector_type === 'payment_processor')
  return own?.merchant_connector_id ?? (list.length > 0 ? '' : null)
}

const own: Other = { connector_name: 'phonypay', connector_type: 'payment_processor' }

async function makeConnector(merchant: string, kept: Partial<Demo>, api: Api, note: (more: Partial<Demo>) => void): Promise<string> {
  if (kept.webhook_secret === undefined) note({ webhook_secret: randomBytes(24).toString('base64url') })
  return (await makeAccount(own, sandboxKey, merchant, kept, api)).merchant_connector_id
}

function metadataOf({ connector_name, connector_type }: Other, sandbox: string): object {
  const own = connector_type === 'payout_processor' ? payoutSettings(connector_name, sandbox) : paymentSettings(connector_name)
  const unit = connectors[connector_name]!.settings?.amount_unit
  return { ...(unit && (unit.of ?? connector_type) === connector_type && kenya), ...own }
}

async function makeAccount(
  is: Other,
  key: string,
  merchant: string,
  { webhook_secret }: Partial<Demo>,
  api: Api,
  metadata: object = {},
): Promise<Account> {
  const made = await api('POST', `/account/${merchant}/connectors`, {
    ...is,
    connector_account_details: keysOf(is.connector_name, key),
    connector_webhook_details: { merchant_secret: webhook_secret },
    ...(Object.keys(metadata).length > 0 && { metadata }),
  })
  return expect(made, 'its processor') as Account
}

function expect(answer: Answer, what: string): Record<string, unknown> {
  if (answer.status >= 200 && answer.status < 300) return answer.body as Record<string, unknown>
  throw new Error(`the demo merchant could not be created: ${what} returned ${answer.status} ${JSON.stringify(answer.body)}`)
}
