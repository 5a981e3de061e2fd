import { refuse } from '../base/refusal.ts'
import { connectors } from '../connectors/all.ts'
import { type AccountSetting, settingsOf } from '../connectors/settings.ts'
import type { Context } from '../context.ts'
import { baseUrlOf, type Deployment } from './connector-account.ts'
import type { SignIn } from './credentials.ts'

type Metadata = Readonly<Record<string, unknown>>
type Place = Pick<Deployment, 'mode' | 'baseUrls'>
type AccountKind = { connector_name: string; connector_type?: string | undefined }

/** Addresses to which nothing may be sent are refused; in live mode also settings that are for testing only. */
export async function checkSettings(
  context: Pick<Context, 'unreachable'>,
  { mode }: Place,
  { connector_name, connector_type }: AccountKind,
  metadata: Metadata | undefined,
): Promise<void> {
  for (const [name, { pattern, description, of, host, test }] of Object.entries(settingsOf(connectors[connector_name]!))) {
    const value = metadata?.[name]
    if (value === undefined || value === null) continue
    const field = `metadata.${name}`
    if (of !== undefined && connector_type !== undefined && of !== connector_type)
      refuse('unacceptable', { field, problem: `is a setting of an account of type ${of}` })
    if (typeof value !== 'string' || !pattern.test(value) || (host === 'address' && !URL.canParse(value)))
      refuse('malformed', { field, expected: description })
    const why = host === 'address' ? await context.unreachable(value, 'send') : null
    if (why !== null) refuse('malformed', { field, expected: `an address of the processor: it ${why}` })
    if (mode === 'live' && (test?.test(value) || (name === 'base_url' && isForTesting(connector_name, value))))
      refuse('unacceptable', { field, problem: 'is for testing only, but this deployment is live' })
  }
}

function isForTesting(connector_name: string, address: string): boolean {
  const { test, live } = connectors[connector_name]!.baseUrl
  if (test === null || test === live) return false
  const [there, forTests] = [new URL(address), new URL(test)]
  const apart = live === null || new URL(live).host !== forTests.host
  return there.host === forTests.host && (apart || there.pathname.startsWith(forTests.pathname))
}

export function checkComplete(place: Place, { connector_name, connector_type }: AccountKind, metadata: Metadata | undefined): void {
  const settings = Object.entries(settingsOf(connectors[connector_name]!))
  const isSet = (name: string) => typeof metadata?.[name] === 'string'
  const applies = ({ of }: AccountSetting) => of === undefined || of === connector_type
  const lacking = settings.find(([name, setting]) => setting.required && applies(setting) && !isSet(name))
  if (lacking) refuse('missing', { field: `metadata.${lacking[0]}`, help: `Set it to ${lacking[1].description}` })
  // If accounts of this type have their own address setting, they need no base URL.
  if (settings.some(([, { host, of }]) => host === 'address' && of !== undefined && of === connector_type)) return
  if (baseUrlOf(place, connector_name, metadata) !== '') return
  const parts = settings.filter(([, { host }]) => host === 'part').map(([name]) => name)
  if (!parts.some(isSet)) refuse('missing', { field: `metadata.${parts[0] ?? 'base_url'}` })
}

/** In live mode, refuses the sandbox's own connector, and the processor's test credentials. */
export function checkForReal({ mode }: Place, connector_name: string, { credentials }: Pick<SignIn, 'credentials'>): void {
  if (mode === 'test') return
  const { testing, credentials: takes } = connectors[connector_name]!
  if (testing)
    refuse('unacceptable', { field: 'connector_name', problem: `${connector_name} is for testing only, but this deployment is live` })
  for (const [name, pattern] of Object.entries(takes.test ?? {})) {
    const value = credentials[name]
    if (typeof value === 'string' && pattern.test(value))
      refuse('unacceptable', { field: `connector_account_details.${name}`, problem: 'is a test key, but this deployment is live' })
  }
}

/** Credentials go only to the host they were given for: users could redirect them, and card numbers, elsewhere. */
export function checkMoved(
  connector_name: string,
  { metadata: before }: { metadata?: unknown },
  { metadata, connector_account_details }: { metadata?: Metadata; connector_account_details?: object },
): void {
  if (metadata === undefined || connector_account_details !== undefined) return
  for (const [name, { host }] of Object.entries(settingsOf(connectors[connector_name]!)))
    if (host !== undefined && hostIn(metadata[name]) !== hostIn((before as Metadata | undefined)?.[name]))
      refuse('unacceptable', {
        field: `metadata.${name}`,
        problem: 'is a different host: send connector_account_details again to change it',
      })
}

const hostIn = (value: unknown): string | null => (typeof value !== 'string' ? null : URL.canParse(value) ? new URL(value).origin : value)
