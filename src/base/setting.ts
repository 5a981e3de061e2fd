import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { editDistance } from './edit-distance.ts'
import { Misconfigured } from './misconfigured.ts'
import { Secret } from './secret.ts'

/** The kinds of values that environment variables can have, for any table of settings. */

/** Reads the value of a variable. Throws `Misconfigured`, naming the variable, if the value is not of this kind. */
export type SettingKind<T> = (given: string, name: string) => T

/** A setting as `--help` and the documentation show it: the environment variable, its default and its description. */
export type Setting = { name: string; default: string | null; description: string }

export function wrongSetting(name: string, why: string): never {
  throw new Misconfigured(`${name} ${why}`)
}

const text: SettingKind<string> = given => given
const secret: SettingKind<Secret> = given => new Secret(given)

const oneOf =
  <T extends string>(...allowed: readonly T[]): SettingKind<T> =>
  (given, name) =>
    allowed.find(word => word === given) ?? wrongSetting(name, `must be ${allowed.join(' or ')}, not ${given}`)

/** Reads `1` as true and `0` as false. */
const flag: SettingKind<boolean> = (given, name) => oneOf('0', '1')(given, name) === '1'

const wholeNumber =
  (low: number, high: number): SettingKind<number> =>
  (given, name) => {
    const number = Number(given)
    return /^\d+$/.test(given) && number >= low && number <= high
      ? number
      : wrongSetting(name, `must be a whole number from ${low} to ${high}, not ${given}`)
  }

/** Reads a whole number from 1 to `high`, or `auto`: one for each core that this process may use, at most `high`. */
const perCore =
  (high: number): SettingKind<number> =>
  (given, name) => {
    if (given === 'auto') return Math.min(availableParallelism(), high)
    const number = Number(given)
    return /^\d+$/.test(given) && number >= 1 && number <= high
      ? number
      : wrongSetting(name, `must be auto or a whole number from 1 to ${high}, not ${given}`)
  }

/** Reads a text of at least this many characters. */
const longText =
  (characters: number): SettingKind<string> =>
  (given, name) =>
    given.length >= characters ? given : wrongSetting(name, `must have at least ${characters} characters`)

/** Reads a URL with one of these protocols (`https:`). Returns the URL without slashes at its end. */
const address =
  (...protocols: readonly string[]): SettingKind<string> =>
  (given, name) => {
    if (!URL.canParse(given) || !protocols.includes(new URL(given).protocol))
      wrongSetting(name, `must be an address that begins with ${protocols.map(one => `${one}//`).join(' or ')}`)
    return given.replace(/(?<!\/)\/+$/, '')
  }

/** Splits a comma-separated list into its parts, without blanks and empty parts. */
export const commaSeparated = (given: string): string[] =>
  given
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)

/** Reads comma-separated IP addresses and CIDR blocks such as 10.0.0.0/8. */
const networks: SettingKind<string[]> = (given, name) => {
  const all = commaSeparated(given)
  for (const one of all) {
    const [host = '', bits = '1', more] = one.split('/')
    const width = { 4: 32, 6: 128 }[isIP(host)] ?? 0
    const right = /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= width && more === undefined
    if (!right) wrongSetting(name, `must be comma-separated addresses or CIDR blocks, not ${one}`)
  }
  return all
}

/** The kinds of values. Each reads the text of a variable and refuses (`Misconfigured`) a text of another kind. */
export const settingKinds = { address, flag, longText, networks, oneOf, perCore, secret, text, wholeNumber }

/** The prefix of this service's variables, and the variables with it that only its own programs set. */
const PREFIX = 'SWITCHYARD_'
const ofOurPrograms = ['SWITCHYARD_DATA', 'SWITCHYARD_NODE', 'SWITCHYARD_LIFELINE', 'SWITCHYARD_STORM', 'SWITCHYARD_PROCESS']

/**
 * Refuses a variable with the service's prefix, or a misspelt setting, that is no setting. Short names resemble other
 * programs' (KEY, NODE): for them only a doubled letter or two swapped ones count.
 */
export function refuseUnknown(env: Record<string, string | undefined>, settings: readonly Setting[]): void {
  const names = settings.map(({ name }) => name)
  const known = new Set([...names, ...ofOurPrograms])
  for (const [name, given] of Object.entries(env)) {
    if (given === undefined || given === '' || known.has(name)) continue
    const meant = names.find(one => isSlip(name, one))
    if (meant !== undefined) wrongSetting(name, `is not a setting: did you mean ${meant}? \`npm start -- --help\` lists all settings`)
    if (name.startsWith(PREFIX)) wrongSetting(name, 'is not a setting: `npm start -- --help` lists all settings')
  }
}

function isSlip(name: string, setting: string): boolean {
  if (setting.length < 4 || Math.abs(name.length - setting.length) > 2) return false
  const away = editDistance(name, setting)
  if (setting.length < 6)
    return away === 1 && (name.replace(/(.)\1/, '$1') === setting || [...name].sort().join() === [...setting].sort().join())
  return away <= (setting.length < 9 ? 1 : 2)
}
