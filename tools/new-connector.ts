import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * `npm run new:connector NAME`: creates the files of a new connector, as far as they are the same for all connectors,
 * and its line in `all.ts`. The new connector passes the type checker, its own test and the conformance suite, and
 * reaches no processor; `docs/connectors.md` describes the next steps.
 */

const root = join(import.meta.dirname, '..')
const table = join('src', 'connectors', 'all.ts')

/** Returns the files of a connector of this name, by their paths. */
export function filesOf(name: string): Record<string, string> {
  const folder = `src/connectors/${name}`
  return {
    [`${folder}/connector.ts`]: connector(name),
    [`${folder}/api.ts`]: api(name),
    [`${folder}/${name}.test.ts`]: rehearsal(name),
    [`test/conformance/specimens/${name}.ts`]: specimen(),
  }
}

/** Writes the files of a connector below this folder. */
export function writeFiles(name: string, below: string): void {
  const all = readFileSync(join(below, table), 'utf8')
  for (const [file, text] of Object.entries({ ...filesOf(name), [table]: withLine(all, name) })) {
    mkdirSync(dirname(join(below, file)), { recursive: true })
    writeFileSync(join(below, file), text)
  }
}

/** Returns `all.ts` with one more connector, in alphabetical order. */
export function withLine(all: string, name: string): string {
  const one = /^import \{ (\w+) \} from '\.\/\1\/connector\.ts'\n/gm
  const names = [...[...all.matchAll(one)].map(([, name]) => name!), name].sort()
  const lines = names.map(name => `import { ${name} } from './${name}/connector.ts'\n`).join('')
  const at = all.search(one)
  const without = all.slice(0, at) + lines + all.slice(at).replace(one, '')
  return without.replace(/(Object\.assign\(Object\.create\(null\), \{)[^}]*\}/, `$1 ${names.join(', ')} }`)
}

/** Returns why a connector cannot have this name; null if it can. */
export function whyNot(name: string | undefined, all: string): string | null {
  if (name === undefined || !/^[a-z][a-z0-9]{1,30}$/.test(name))
    return 'usage: npm run new:connector NAME\n  NAME is 2 to 31 lower-case letters and digits, and begins with a letter'
  return all.includes(`./${name}/`) || existsSync(join(root, 'src', 'connectors', name)) ? `${name} already exists` : null
}

const typeOf = (name: string): string => `${name[0]!.toUpperCase()}${name.slice(1)}Payment`

const connector = (
  name: string,
): string => `import type { Account, AuthorizeRequest, Connector, Conversation, SyncRequest } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { failedLookup, failedOutcome, parseReply, unknown, without } from '../kit/parse-reply.ts'
import { codesOf, secretsOf } from '../kit/secrets.ts'
import { get, outcomeOf, paymentReply, post } from './api.ts'

function* authorize({ request_id, money, instrument }: AuthorizeRequest<'card'>, account: Account): Conversation {
  const { number, exp_month, exp_year, cvc } = instrument
  const body = {
    reference: request_id,
    amount: money.amount,
    currency: money.currency,
    card: { number: number.reveal(), exp_month, exp_year, ...(cvc && { cvc: cvc.reveal() }) },
  }
  const secrets = [credentialOf(account), ...secretsOf(instrument)]
  const reply = parseReply(yield post(account, '/payments', body, request_id), secrets, paymentReply)
  return without(reply.is === 'answer' ? outcomeOf(reply.answer) : failedOutcome(reply), codesOf(instrument))
}

/** Looks an earlier request up. If the processor cannot be reached or does not answer, the outcome is \`unknown\`. */
function* sync({ request_id, reference }: SyncRequest, account: Account): Conversation {
  const path = reference === null ? \`by-reference/\${request_id}\` : encodeURIComponent(reference)
  const reply = parseReply(yield get(account, \`/payments/\${path}\`), [credentialOf(account)], paymentReply)
  if (reply.is !== 'answer') return failedLookup(reply)
  return reply.answer.reference === request_id ? outcomeOf(reply.answer) : unknown('the response is for another payment')
}

/** TODO: the vendor’s API, the source of its contract, and how an earlier request is found there. */
export const ${name} = {
  name: '${name}',
  sources: { documented: 'TODO: where its contract is' },
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
`

const api = (name: string): string => `import type { Money } from '../../base/money.ts'
import type { Request } from '../../context.ts'
import type { Account, Outcome } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { declinedWith, type Refused, readerOf, refusedBy } from '../kit/parse-reply.ts'
import { isId, isOneOf, isRecord, readMoney } from '../kit/read.ts'
import { baseOf, bearerOf, getRequest, jsonRequest } from '../kit/request.ts'

/**
 * The requests to ${name}, and its responses, read member by member. A body that does not match the contract is read
 * as null: no part of it is used.
 */

export const get = (account: Account, path: string): Request => getRequest(baseOf(account) + path, bearerOf(credentialOf(account)))

/** \`key\`: our request id, for requests that move money. */
export const post = (account: Account, path: string, body: object, key?: string): Request =>
  jsonRequest('POST', baseOf(account) + path, bearerOf(credentialOf(account)), body, key)

const statuses = ['approved', 'declined'] as const

type ${typeOf(name)} = { id: string; reference: string; status: (typeof statuses)[number]; money: Money; message: string }

function readPayment(body: unknown): ${typeOf(name)} | null {
  if (!isRecord(body)) return null
  const { id, reference, status, amount, currency, message } = body
  const money = readMoney(amount, currency)
  if (!isId(id) || !isId(reference) || !isOneOf(statuses, status) || money === null) return null
  return { id, reference, status, money, message: typeof message === 'string' ? message : '' }
}

/** TODO: the errors by status for which the contract says that nothing happened: \`401: 'configuration'\`. */
const errors: Readonly<Record<number, Refused['as']>> = {}

const readRefused = (status: number, body: unknown): Refused | null => (isRecord(body) ? refusedBy(errors, status, body.message) : null)

export const paymentReply = readerOf(readPayment, readRefused)

/** Amount and reference are as echoed: the caller compares them. */
export function outcomeOf({ id, reference, status, money, message }: ${typeOf(name)}): Outcome {
  switch (status) {
    case 'approved':
      return { is: 'done', reference: id, request_id: reference, amount: money, captured: money, facts: {} }
    case 'declined':
      return declinedWith('card_declined', status, message, id)
  }
}
`

const rehearsal = (name: string): string => `import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { accountAt, cardAsk } from '../../../test/card-ask.ts'
import { rehearse, replied, silence } from '../../../test/rehearse.ts'
import type { SyncRequest } from '../connector.ts'
import { ${name} } from './connector.ts'

const account = accountAt('https://${name}.example', { api_key: 'key' })
const money = { amount: 1250, currency: 'USD' } as const
const approved = { id: 'pay_1', reference: 'REQ1', status: 'approved', ...money }
const syncAsk: SyncRequest = { verb: 'authorize', request_id: 'REQ1', reference: null, money, authorization: null }

test('a payment is asked for under our request id, and its yes names what was taken', () => {
  const { requests, outcome } = rehearse(${name}.authorize(cardAsk(), account), [replied(200, approved)])
  const [{ url, headers, body }] = requests as [(typeof requests)[number]]
  deepEqual([url, headers['idempotency-key']], ['https://${name}.example/payments', 'REQ1'])
  const { reference, amount, currency } = JSON.parse(body!)
  deepEqual([reference, amount, currency], ['REQ1', 1250, 'USD'])
  deepEqual(outcome, { is: 'done', reference: 'pay_1', request_id: 'REQ1', amount: money, captured: money, facts: {} })
})

test('a payment is found by our request id; what was not answered is not known', () => {
  equal(rehearse(${name}.sync(syncAsk, account), [replied(200, approved)]).outcome.is, 'done')
  for (const reply of [silence, replied(200, {}), replied(500, approved)])
    equal(rehearse(${name}.sync(syncAsk, account), [reply]).outcome.is, 'unknown')
})
`

const specimen = (): string => `import type { Specimen } from '../specimen.ts'

const payment = { id: 'auth_1', reference: 'REQ1', status: 'approved', amount: 1250, currency: 'USD', message: '' }

export const specimen: Specimen = {
  answers: { authorize: payment },
  // TODO: one of each of its errors, by their status.
  errors: [],
}
`

if (import.meta.main) {
  const [name] = process.argv.slice(2)
  const why = whyNot(name, readFileSync(join(root, table), 'utf8'))
  if (why !== null) {
    console.error(why)
    process.exit(1)
  }
  writeFiles(name!, root)
  const paths = Object.keys(filesOf(name!))
  execFileSync(join(root, 'node_modules', '.bin', 'biome'), ['check', '--write', table, ...paths], { cwd: root, stdio: 'ignore' })
  console.log(`Created ${paths.join(', ')} and added a line to ${table}. Next steps: docs/connectors.md`)
}
