import type { Secret } from '../../base/secret.ts'
import type { Account, Connector, Conversation } from '../connector.ts'
import { type Verb, verbNames } from '../verbs.ts'
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

const instead = {
  ...(Object.fromEntries(verbNames.map(verb => [verb, declined])) as Record<Verb, typeof declined>),
  ...{ ask_issuer: refused, order: refused, client_token: refused, upload_evidence: refused, setUp: declined },
  ...{ read_dispute: unknown, sync: unknown },
}

export function withCredentialsChecked(connector: Connector): Connector {
  const { members } = connector.credentials
  const checked =
    <Ask, T>(instead: (lack: string) => T, begin: (ask: Ask, account: Account) => Conversation<T>) =>
    (ask: Ask, account: Account): Conversation<T> => {
      const lack = lackOf(account, members)
      return lack === null ? begin(ask, account) : only(instead(lack))
    }
  const begins = Object.entries(instead).flatMap(([name, say]) => {
    const begin = connector[name as keyof typeof instead] as ((ask: unknown, account: Account) => Conversation<unknown>) | undefined
    return begin ? [[name, checked<unknown, unknown>(say, begin)]] : []
  })
  const { verify, returned, webhook } = connector
  return {
    ...connector,
    ...Object.fromEntries(begins),
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
