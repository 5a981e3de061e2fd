import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** A deployment with its keys. `login` is set if a login created the key, with the time at which the key expires. */
export type Profile = {
  url: string
  key: string
  admin_key?: string
  merchant?: string
  publishable_key?: string
  login?: { key_id: string; expires: string }
}

type Stored = { current?: string; profiles: Record<string, Profile> }

/** A mistake in the user's input. It is printed in one sentence, without a stack. */
export class Mistake extends Error {}

/** Returns the user's folder for settings and for data that are kept between runs. */
const configFolder = (): string =>
  process.env.SWITCHYARD_CONFIG ?? join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'switchyard')

/** Writes a file that only its owner can read. The file is replaced as a whole. */
export function keepSecret(name: string, text: string): void {
  const path = join(configFolder(), name)
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, text, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, path)
}

/** Appends to a file that only its owner can read. */
export const appendKept = (name: string, text: string): void => appendFileSync(join(configFolder(), name), text, { mode: 0o600 })

export function readKept(name: string): string | null {
  const path = join(configFolder(), name)
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}

const FILE = 'profiles.json'

export function readProfiles(): Stored {
  const text = readKept(FILE)
  if (text === null) return { profiles: {} }
  try {
    return JSON.parse(text) as Stored
  } catch {
    throw new Mistake(`${join(configFolder(), FILE)} is no JSON: mend or remove it`)
  }
}

export const writeProfiles = (stored: Stored): void => keepSecret(FILE, `${JSON.stringify(stored, null, 2)}\n`)

/** Throws a Mistake if the text is not an address of a deployment. */
export function checkUrl(url: string): void {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new Mistake(`${url} is no address: begin with https://`)
}

export type GlobalOptions = { profile?: string; url?: string; key?: string; merchant?: string; json?: boolean }

/** Returns the chosen deployment: from options first, then from the environment, then from the profile. */
export function chosenProfile(options: GlobalOptions): Partial<Profile> {
  const { current, profiles } = readProfiles()
  const name = options.profile ?? process.env.SWITCHYARD_PROFILE ?? current
  if (name !== undefined && !Object.hasOwn(profiles, name)) throw new Mistake(`there is no profile ${name}; see: switchyard profiles list`)
  const kept: Partial<Profile> = name === undefined ? {} : profiles[name]!
  const { SWITCHYARD: url, SWITCHYARD_KEY, KEY, SWITCHYARD_MERCHANT: merchant, ADMIN_KEY, PUBLISHABLE_KEY } = process.env
  // A profile that is chosen by an option is not mixed with settings of the environment.
  const named = options.profile !== undefined
  const around = named ? {} : { url, key: SWITCHYARD_KEY ?? KEY, merchant, admin_key: ADMIN_KEY, publishable_key: PUBLISHABLE_KEY }
  const asked = { url: options.url, key: options.key, merchant: options.merchant }
  const given = (of: object) => Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined && value !== ''))
  const chosen: Partial<Profile> = { ...kept, ...given(around), ...given(asked) }
  // The details of a login apply only to the login's own key.
  if (chosen.key !== kept.key) delete chosen.login
  return chosen
}
