import { randomAlphanumeric, randomCrockford } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { between, later } from '../base/time.ts'
import type { Context, Reads, Vault } from '../context.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { type DeviceAuthorization, deviceAuthorizations } from './tables.ts'
import { begunTries, countTry, forgetTries, MOST_BEGUN, takeBackTry, triesOf } from './tries.ts'

/** RFC 8628: a command line shows a short code, and polls with a long one until a signed-in user has approved. */

const DEVICE_MS = 10 * 60_000
/** In seconds, between two polls. Each poll that comes too early adds the same number of seconds. */
const INTERVAL_S = 5
/** After its expiry, polls of a code are answered with "expired" for so long. */
const KNOWN_MS = 60 * 60_000
const USER_CODE_LENGTH = 8
const DEVICE_CODE = /^swdev_[0-9A-Za-z]{43}$/
const MOST_CLASHES = 3

type Edges = Pick<Context, 'query' | 'vault' | 'now'>

const deviceDigest = (vault: Pick<Vault, 'digest'>, code: string): string => vault.digest('device code', code)
const userDigest = (vault: Pick<Vault, 'digest'>, code: string): string => vault.digest('device user code', code)

/** Letters that look like digits of the code's alphabet become those digits. */
const plainCode = (typed: string): string => typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1')

const { names } = deviceAuthorizations
const insert = statement(
  'insert_device_authorization',
  `insert into device_authorizations (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')}) on conflict (user_code) do nothing returning digest`,
)
const byDigest = statement('device_authorization_by_digest', select(deviceAuthorizations, 'where digest = $1'))
const byUserCode = statement(
  'device_authorization_by_user_code',
  select(deviceAuthorizations, "where user_code = $1 and state = 'waiting' and expires_at > $2"),
)
const decide = statement(
  'decide_device_authorization',
  "update device_authorizations set state = $2, user_id = $3, merchant_id = $4 where digest = $1 and state = 'waiting' and expires_at > $5 returning digest",
)
const polled = statement(
  'poll_device_authorization',
  'update device_authorizations set polled_at = $2, interval_s = $3 where digest = $1 and polled_at is not distinct from $4 returning digest',
)
const take = statement(
  'take_device_authorization',
  'delete from device_authorizations where digest = $1 and state = $2 and expires_at > $3 returning digest',
)

const ofUser = statement(
  'end_devices_of_user',
  "update device_authorizations set state = 'denied', user_id = null, merchant_id = null where user_id = $1 and state = 'approved'",
)

/** Denies sign-ins that the user has approved and whose command lines have no key yet. */
export const endDevices = async (context: Reads, user_id: string): Promise<void> => void (await context.query(ofUser, [user_id]))

/** Only this answer contains the codes in clear. `interval`: seconds between polls. */
export type DeviceCodes = { device_code: string; user_code: string; expires_in: number; interval: number }

/** `device_name`: the machine's. Refuses (UR_48) an address for 15 minutes after a hundred uncompleted sign-ins. */
export async function beginDevice(context: Edges & Pick<Context, 'random'>, device_name: string, address: string): Promise<DeviceCodes> {
  await countTry(context, begunTries(context, 'device', address), MOST_BEGUN)
  const device_code = `swdev_${randomAlphanumeric(context, 43)}`
  const now = context.now()
  const expires_at = later(now, DEVICE_MS)
  for (let tries = 0; tries < MOST_CLASHES; tries++) {
    const code = randomCrockford(context, USER_CODE_LENGTH)
    const row: DeviceAuthorization = {
      digest: deviceDigest(context.vault, device_code),
      user_code: userDigest(context.vault, code),
      device_name,
      address,
      state: 'waiting',
      user_id: null,
      merchant_id: null,
      interval_s: INTERVAL_S,
      polled_at: null,
      created: now,
      expires_at,
      forget_at: later(expires_at, KNOWN_MS),
    }
    const written = await context.query(
      insert,
      names.map(name => row[name as keyof DeviceAuthorization]),
    )
    if (written.length === 0) continue
    return { device_code, user_code: code.replace(/(.{4})(?=.)/, '$1-'), expires_in: DEVICE_MS / 1000, interval: INTERVAL_S }
  }
  return refuse('busy')
}

/** Refuses (HE_02) a code without a waiting sign-in, and (UR_48) a user for 15 minutes after ten such codes. */
export async function findDevice(context: Edges, user_id: string, typed: string): Promise<DeviceAuthorization> {
  const tries = triesOf(context, 'device code', user_id, null)
  await countTry(context, tries)
  const code = userDigest(context.vault, plainCode(typed))
  const [found] = await context.query<DeviceAuthorization>(byUserCode, [code, context.now()])
  if (found === undefined) return refuse('not_found', { what: 'sign-in of a command line' })
  await takeBackTry(context, tries)
  return found
}

/** `prove`: that the user is there. `signIn`: a text that differs once the user's credentials have been ended. */
export type DeviceDecision = 'denied' | { merchant_id: string; prove(): Promise<void>; signIn(): Promise<string> }

/** Refuses (HE_02) a second decision, (UR_48) more than ten proofs of a code, (UR_01) a proof by ended credentials. */
export async function decideDevice(context: Edges, user_id: string, typed: string, decision: DeviceDecision): Promise<void> {
  const { digest } = await findDevice(context, user_id, typed)
  const signIn = decision === 'denied' ? '' : await decision.signIn()
  if (decision !== 'denied') {
    await countTry(context, triesOf(context, 'device approval', digest, null))
    await decision.prove()
  }
  const values = decision === 'denied' ? ['denied', null, null] : ['approved', user_id, decision.merchant_id]
  const decided = await context.query(decide, [digest, ...values, context.now()])
  if (decided.length === 0) refuse('not_found', { what: 'sign-in of a command line' })
  if (decision === 'denied' || (await decision.signIn()) === signIn) return
  await endDevices(context, user_id)
  refuse('sign_in_refused')
}

/** By the names of RFC 8628. `approved` is returned once, with the user and the merchant. */
export type Polled =
  | { status: 'authorization_pending' | 'slow_down'; interval: number }
  | { status: 'access_denied' | 'expired_token' }
  | { status: 'approved'; user_id: string; merchant_id: string; device_name: string }

/** Refuses (UR_04) a code that never existed or was used. */
export async function pollDevice(context: Edges, device_code: string): Promise<Polled> {
  const none = (): never => refuse('link_invalid')
  if (!DEVICE_CODE.test(device_code)) none()
  const digest = deviceDigest(context.vault, device_code)
  const found = (await context.query<DeviceAuthorization>(byDigest, [digest]))[0] ?? none()
  const now = context.now()
  if (found.expires_at <= now) return { status: 'expired_token' }
  if (found.state === 'waiting') {
    const { polled_at, interval_s } = found
    const isEarly = polled_at !== null && between(polled_at, now) < interval_s * 1000
    const interval = isEarly ? interval_s + INTERVAL_S : interval_s
    // If two polls run concurrently, the poll that does not change the row came too early.
    const isOnly = (await context.query(polled, [digest, now, interval, polled_at])).length > 0
    return { status: isEarly || !isOnly ? 'slow_down' : 'authorization_pending', interval }
  }
  if ((await context.query(take, [digest, found.state, now])).length === 0) none()
  await forgetTries(context, begunTries(context, 'device', found.address))
  const { user_id, merchant_id, device_name } = found
  return found.state === 'denied'
    ? { status: 'access_denied' }
    : { status: 'approved', user_id: user_id!, merchant_id: merchant_id!, device_name }
}
