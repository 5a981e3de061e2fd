import { hostname } from 'node:os'
import { ApiError, AuthenticationError, ConnectionError, createClient } from '@switchyard/node'
import type { Command } from 'commander'
import { openBrowser } from './browser.ts'
import { openScreenOf } from './command.ts'
import { paint, plain, type Screen, wrap } from './output.ts'
import { pause } from './pause.ts'
import { checkUrl, type GlobalOptions, Mistake, type Profile, readProfiles, writeProfiles } from './settings.ts'

type Codes = {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
  expires_in: number
  interval: number
}
type Key = { api_key: string; key_id: string; merchant_id: string; name: string; expiration: string }
type Token = {
  status: 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token' | 'approved'
  interval: number | null
  key: Key | null
}

const LONGEST_NAME = 50
const ANSWER_MS = 30_000

/** Sends a request without a key, which the SDK does not support. Throws the SDK's errors. */
async function ask<T>(url: string, path: string, body: object, signal: AbortSignal): Promise<T> {
  const address = `${url.replace(/(?<!\/)\/+$/, '')}${path}`
  let answer: Response
  let text: string
  try {
    answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    })
    text = await answer.text()
  } catch (error) {
    throw new ConnectionError(`${url} did not answer`, null, error)
  }
  const reply = readJson(text) as (T & { error?: { code?: string; type?: string; message?: string; help?: string } }) | null
  if (answer.ok && reply !== null) return reply
  const { code = String(answer.status), type = 'api', message = `${url} answered ${answer.status}`, help } = reply?.error ?? {}
  throw new ApiError({ status: answer.status, code, type, message, help, requestId: answer.headers.get('x-request-id'), body: reply })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns the deployment to sign in to, and the profile that stores the key. */
function target({ url, profile }: GlobalOptions): { url: string; name: string; kept: Profile | undefined } {
  const { current, profiles } = readProfiles()
  const named = profile ?? (process.env.SWITCHYARD_PROFILE || undefined)
  const from = named ?? current
  const address = url ?? (process.env.SWITCHYARD || undefined) ?? (from === undefined ? undefined : profiles[from]?.url)
  if (address === undefined) throw new Mistake('to which deployment? Give --url, or set SWITCHYARD')
  checkUrl(address)
  if (named !== undefined) return { url: address, name: named, kept: profiles[named] }
  const { origin, host } = new URL(address)
  // Without a profile name, only a profile that an earlier login created is overwritten.
  const isLogins = (name: string | undefined) => {
    const one = name === undefined ? undefined : profiles[name]
    return one?.login !== undefined && new URL(one.url).origin === origin
  }
  const before = [current, ...Object.keys(profiles)].find(isLogins)
  if (before !== undefined) return { url: address, name: before, kept: profiles[before] }
  let name = host
  for (let n = 2; Object.hasOwn(profiles, name); n++) name = `${host}-${n}`
  return { url: address, name, kept: undefined }
}

/**
 * Polls until the login is approved or refused. A poll without an answer is repeated, because the code is valid until
 * it expires.
 */
async function wait(url: string, { device_code, expires_in, interval }: Codes, signal: AbortSignal): Promise<Key> {
  const end = performance.now() + expires_in * 1000
  let seconds = interval
  while (!signal.aborted) {
    await pause(seconds * 1000, signal)
    if (signal.aborted) break
    try {
      const reply = await ask<Token>(url, '/user/device/token', { device_code }, signal)
      if (reply.status === 'approved' && reply.key !== null) return reply.key
      if (reply.status === 'access_denied') throw new Error('the sign-in was denied')
      if (reply.status === 'expired_token') throw new Error('the code has expired before it was approved; run switchyard login again')
      seconds = reply.interval ?? seconds
    } catch (error) {
      const isAway = error instanceof ConnectionError || (error instanceof ApiError && (error.status >= 500 || error.status === 429))
      if (!isAway || performance.now() > end) throw error
      seconds = Math.min(60, seconds * 2)
    }
  }
  throw new Error('stopped before the sign-in was approved')
}

/** Revokes the key of a profile. `gone`: the key was already invalid. */
async function revoke({ url, key }: Profile): Promise<'revoked' | 'gone'> {
  try {
    await createClient({ baseUrl: url, apiKey: key }).users.signOutDevice()
    return 'revoked'
  } catch (error) {
    if (error instanceof AuthenticationError) return 'gone'
    throw error
  }
}

/** The environment variables that take precedence over a profile. */
const around = ['SWITCHYARD', 'SWITCHYARD_KEY', 'KEY']

/** Returns a function that prints a message as text, or as one JSON object per line. */
const speaker = (screen: Screen) => (facts: Record<string, unknown>, text: string) =>
  screen.out(screen.json ? `${JSON.stringify(facts)}\n` : `${wrap(screen, text)}\n`)

async function login(options: GlobalOptions & { browser: boolean }, signal: AbortSignal): Promise<void> {
  const screen = openScreenOf(options)
  const say = speaker(screen)
  const { url, name, kept } = target(options)
  const device_name = plain(hostname()).trim().slice(0, LONGEST_NAME) || 'this machine'
  const codes = await ask<Codes>(url, '/user/device', { device_name }, signal)
  const { user_code, verification_uri, verification_uri_complete, expires_in } = codes
  const code = plain(user_code)
  say(
    { type: 'code', user_code, verification_uri, verification_uri_complete, expires_in },
    `Open   ${plain(verification_uri_complete)}\nCode   ${paint(screen, 'bold', code)}\nApprove it there if the page shows this code. It is valid for ${Math.round(expires_in / 60)} minutes.`,
  )
  if (options.browser && screen.columns !== null) openBrowser(verification_uri_complete)
  const key = await wait(url, codes, signal)
  const { api_key, key_id, merchant_id, expiration } = key
  const profile: Profile = {
    ...(kept?.admin_key !== undefined && kept.url === url && { admin_key: kept.admin_key }),
    ...{ url, key: api_key, merchant: merchant_id, login: { key_id, expires: expiration } },
  }
  try {
    const { profiles } = readProfiles()
    writeProfiles({ current: name, profiles: { ...profiles, [name]: profile } })
  } catch (error) {
    // The key cannot be stored, so it is revoked.
    await revoke(profile).catch(() => {})
    throw error
  }
  if (kept?.login !== undefined) await revoke(kept).catch(() => {})
  say(
    { type: 'signed_in', profile: name, url, merchant_id, key_id, expiration },
    `${paint(screen, 'green', 'Signed in')} to ${url}, merchant ${plain(merchant_id)}, until ${plain(expiration)}. Kept as the profile ${name}.`,
  )
  const set = around.filter(one => process.env[one])
  if (set.length > 0) screen.err(`${set.join(' and ')} in the environment ${set.length > 1 ? 'go' : 'goes'} before this profile\n`)
}

async function logout(options: GlobalOptions): Promise<void> {
  const screen = openScreenOf(options)
  const { current, profiles } = readProfiles()
  const name = options.profile ?? (process.env.SWITCHYARD_PROFILE || undefined) ?? current
  const profile = name === undefined ? undefined : profiles[name]
  if (name === undefined || profile === undefined)
    throw new Mistake(name === undefined ? 'there is no profile to sign out' : `there is no profile ${name}`)
  if (profile.login === undefined)
    throw new Mistake(
      `the profile ${name} was not made by switchyard login; switchyard profiles remove ${name} removes it, and its key stays`,
    )
  const is = await revoke(profile)
  const { [name]: _gone, ...rest } = profiles
  writeProfiles({ ...(current !== undefined && current !== name && { current }), profiles: rest })
  speaker(screen)(
    { type: 'signed_out', profile: name, url: profile.url, key_id: profile.login.key_id, revoked: is === 'revoked' },
    is === 'revoked'
      ? `Signed out of ${profile.url}: the key is revoked, and the profile ${name} removed.`
      : `The key was valid no longer. The profile ${name} is removed.`,
  )
}

/** Adds `switchyard login` and `logout`. `signal` aborts when the user interrupts the command. */
export function addLogin(program: Command, signal: AbortSignal): void {
  program
    .command('login')
    .description('signs this machine in: you approve it in the dashboard, and the key is kept as a profile')
    .option('--no-browser', 'print the address, and open nothing')
    .action((_options, command: Command) => login(command.optsWithGlobals<GlobalOptions & { browser: boolean }>(), signal))
  program
    .command('logout')
    .description('revokes the key of a login, and removes its profile')
    .action((_options, command: Command) => logout(command.optsWithGlobals<GlobalOptions>()))
}
