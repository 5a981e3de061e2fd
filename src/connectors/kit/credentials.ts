import type { Secret } from '../../base/secret.ts'
import type { Account, Connector, Conversation } from '../connector.ts'
import { verbNames } from '../verbs.ts'
import { declinedWith, unknown } from './parse-reply.ts'

/** Once for all connectors (`all.ts`): no verb begins for an account that lacks one of `credentials.members`. */

/** The check has ruled out that it is missing. */
export function credentialOf({ credentials }: Account, name = 'api_key'): Secret {
  const credential = credentials[name]
  if (!credential) throw new Error(`begun without ${name}`)
  return credential
}

/** None of them may occur in a stored reply. */
export const credentialsOf = ({ credentials }: Account): Secret[] => Object.values(credentials)

/** As a sentence; null if none. */
function lackOf({ credentials }: Account, members: readonly string[]): string | null {
  for (const name of members) {
    if (credentials[name]) continue
    return `The connector account has no ${members.filter(one => !credentials[one]).join(' and no ')}.`
  }
  return null
}

// A verb is declined, because no money has moved; other requests are refused; a query is `unknown`.
const declined = (lack: string) => declinedWith('configuration', '', lack)
const refused = (lack: string) => ({ is: 'refused', code: '', message: lack }) as const

export function withCredentialsChecked(connector: Connector): Connector {
  const { members } = connector.credentials
  const checked =
    <Ask, T>(instead: (lack: string) => T, begin: (ask: Ask, account: Account) => Conversation<T>) =>
    (ask: Ask, account: Account): Conversation<T> => {
      const lack = lackOf(account, members)
      return lack === null ? begin(ask, account) : only(instead(lack))
    }
  const moving: Record<string, unknown> = {}
  for (const verb of verbNames) {
    const begin = connector[verb] as ((ask: unknown, account: Account) => Conversation) | undefined
    if (begin) moving[verb] = checked(declined, begin)
  }
  const { ask_issuer, order, client_token, setUp, upload_evidence, read_dispute, sync, verify, returned, webhook } = connector
  return {
    ...connector,
    ...moving,
    ...(ask_issuer && { ask_issuer: checked(refused, ask_issuer) }),
    ...(order && { order: checked(refused, order) }),
    ...(client_token && { client_token: checked(refused, client_token) }),
    ...(setUp && { setUp: checked(declined, setUp) }),
    ...(upload_evidence && { upload_evidence: checked(refused, upload_evidence) }),
    ...(read_dispute && { read_dispute: checked(unknown, read_dispute) }),
    ...(sync && { sync: checked(unknown, sync) }),
    ...(verify && { verify: (account, request_id) => checked(refused, () => verify(account, request_id))(null, account) }),
    ...(returned && { returned: { ...returned, ask: checked(unknown, returned.ask) } }),
    ...(webhook?.register && { webhook: { ...webhook, register: withWebhookSecret(checked(refused, webhook.register)) } }),
  }
}

type Register = NonNullable<NonNullable<Connector['webhook']>['register']>

/** The processor needs the secret with which it signs its webhooks. */
const withWebhookSecret =
  (register: Register): Register =>
  (url, account) =>
    account.webhook_secret ? register(url, account) : only(refused('The connector account has no webhook secret.'))

// biome-ignore lint/correctness/useYield: nothing is said
function* only<T>(outcome: T): Conversation<T> {
  return outcome
}
