import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `npm run new:connector NAME`: the files of a new connector, as far as they are the same for all, and its line in
 * `all.ts`. What is made type-checks and moves no money; `docs/connectors.md` says what comes next.
 */

const folder = join(import.meta.dirname, '..', 'src', 'connectors')

/** The files of a connector of this name, by their names. */
export function filesOf(name: string): Record<string, string> {
  return { [`${name}/connector.ts`]: connector(name), [`${name}/replies.ts`]: replies(name), [`${name}/${name}.test.ts`]: rehearsal(name) }
}

/** `all.ts` with one connector more, in the order of the alphabet. */
export function withLine(all: string, name: string): string {
  const one = /^import \{ (\w+) \} from '\.\/\1\/connector\.ts'\n/gm
  const names = [...[...all.matchAll(one)].map(([, name]) => name!), name].sort()
  const lines = names.map(name => `import { ${name} } from './${name}/connector.ts'\n`).join('')
  const at = all.search(one)
  const without = all.slice(0, at) + lines + all.slice(at).replace(one, '')
  return without.replace(/(Object\.assign\(Object\.create\(null\), \{)[^}]*\}/, `$1 ${names.join(', ')} }`)
}

/** Why a connector cannot be called so; null if it can. */
export function whyNot(name: string | undefined, all: string): string | null {
  if (name === undefined || !/^[a-z][a-z0-9]{1,30}$/.test(name)) return 'usage: npm run new:connector NAME (lower-case letters and digits)'
  return all.includes(`./${name}/`) || existsSync(join(folder, name)) ? `${name} is there already` : null
}

const connector = (name: string): string => `import type { Reply, Request } from '../../context.ts'
import type { Account, AuthorizeRequest, Connector, Conversation, Outcome, SyncRequest } from '../connector.ts'
import { plainText, redact } from '../kit/text.ts'
import { readJson } from '../kit/read.ts'
import { type Answer, readAnswer } from './replies.ts'

/** TODO: whose API this is, where its contract is, and how an earlier request is found again there (docs/connectors.md). */
export const ${name} = {
  name: '${name}',
  founded: { documented: 'TODO: where its contract is' },
  baseUrl: { test: null, live: null },
  credentials: { auth_type: 'HeaderKey', members: ['api_key'] },
  accepts: {
    methods: ['card'],
    capture: ['automatic'],
    idempotent_ms: 24 * 3_600_000,
    lookup: 'by request id',
    in_flight_ms: 80_000,
  },
  authorize,
  sync,
} satisfies Connector<'card'>

function* authorize(ask: AuthorizeRequest<'card'>, account: Account): Conversation {
  const key = account.credentials.api_key
  if (!key) return withoutKey
  const { number, exp_month, exp_year, cvc } = ask.means
  const request: Request = {
    method: 'POST',
    url: \`\${account.base_url}/payments\`,
    headers: { authorization: \`Bearer \${key.reveal()}\`, 'content-type': 'application/json', 'idempotency-key': ask.request_id },
    body: JSON.stringify({
      reference: ask.request_id,
      amount: ask.money.amount,
      currency: ask.money.currency,
      card: { number: number.reveal(), exp_month, exp_year, cvc: cvc?.reveal() },
    }),
  }
  return parseReply(yield request, [key, number])
}

/** A question that could not be asked, or was not answered, leaves things \`unknown\`. */
function* sync(ask: SyncRequest, account: Account): Conversation {
  const key = account.credentials.api_key
  if (!key) return unknown('the connector account has no api_key')
  const path = ask.reference === null ? \`by-reference/\${ask.request_id}\` : encodeURIComponent(ask.reference)
  const outcome = parseReply(
    yield { method: 'GET', url: \`\${account.base_url}/payments/\${path}\`, headers: { authorization: \`Bearer \${key.reveal()}\` } },
    [key],
  )
  return outcome.is === 'not_sent' ? unknown(outcome.why) : outcome
}

/** TODO: errors of which the contract says that nothing happened. Until then everything but a whole good answer is \`unknown\`. */
function parseReply(reply: Reply, secrets: Parameters<typeof redact>[1]): Outcome {
  if (reply.is === 'not_sent') return reply
  if (reply.is === 'silence') return unknown(reply.why)
  const answer = reply.status === 200 ? readAnswer(readJson(redact(reply.body, secrets))) : null
  return answer ? outcomeOf(answer) : unknown(\`invalid response (HTTP \${reply.status})\`)
}

function outcomeOf({ id, reference, status, amount, currency, message }: Answer): Outcome {
  const money = { amount, currency }
  switch (status) {
    case 'approved':
      return { is: 'done', reference: id, request_id: reference, amount: money, captured: money, facts: {} }
    case 'declined':
      return { is: 'declined', reference: id, code: 'card_declined', code_said: status, said: plainText(message), facts: {} }
  }
}

const unknown = (why: string): Extract<Outcome, { is: 'unknown' }> => ({ is: 'unknown', why })

const withoutKey: Outcome = {
  is: 'declined',
  reference: null,
  code: 'configuration',
  code_said: '',
  said: 'The connector account has no api_key.',
  facts: {},
}
`

const replies = (name: string): string => `import { type Currency, isCurrency } from '../../base/currencies.ts'
import { isAmount, isId, isOneOf, isRecord } from '../kit/read.ts'

/** What ${name} writes, read member by member. A body that is not exactly as its contract says is null: it is never half believed. */

const statuses = ['approved', 'declined'] as const

export type Answer = {
  id: string
  reference: string
  status: (typeof statuses)[number]
  amount: number
  currency: Currency
  message: string
}

export function readAnswer(body: unknown): Answer | null {
  if (!isRecord(body)) return null
  const { id, reference, status, amount, currency, message } = body
  if (!isId(id) || !isId(reference) || !isOneOf(statuses, status) || !isAmount(amount)) return null
  if (typeof currency !== 'string' || !isCurrency(currency)) return null
  return { id, reference, status, amount, currency, message: typeof message === 'string' ? message : '' }
}
`

const rehearsal = (name: string): string => `import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { rehearse, replied, silence } from '../../../test/rehearse.ts'
import { Secret } from '../../base/secret.ts'
import { ${name} } from './connector.ts'

const account = { base_url: 'https://${name}.example', credentials: { api_key: new Secret('key') }, webhook_secret: null, metadata: {} }
const ask = {
  verb: 'authorize',
  request_id: 'REQ1',
  reference: null,
  money: { amount: 1250, currency: 'USD' },
  authorization: null,
} as const

test('an authorization that was approved is done; what was not answered is not known', () => {
  const approved = { id: 'pay_1', reference: 'REQ1', status: 'approved', amount: 1250, currency: 'USD' }
  equal(rehearse(${name}.sync(ask, account), [replied(200, approved)]).outcome.is, 'done')
  for (const reply of [silence, replied(200, {}), replied(500, approved)])
    equal(rehearse(${name}.sync(ask, account), [reply]).outcome.is, 'unknown')
})
`

if (import.meta.main) {
  const [name] = process.argv.slice(2)
  const file = join(folder, 'all.ts')
  const all = readFileSync(file, 'utf8')
  const why = whyNot(name, all)
  if (why !== null) {
    console.error(why)
    process.exit(1)
  }
  const files = filesOf(name!)
  mkdirSync(join(folder, name!))
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
  writeFileSync(file, withLine(all, name!))
  const biome = join(folder, '..', '..', 'node_modules', '.bin', 'biome')
  execFileSync(biome, ['check', '--write', file, ...Object.keys(files).map(one => join(folder, one))], { stdio: 'ignore' })
  console.log(
    `made ${Object.keys(files)
      .map(one => `src/connectors/${one}`)
      .join(', ')}, and a line in all.ts. What comes next: docs/connectors.md`,
  )
}
