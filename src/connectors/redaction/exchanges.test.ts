import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { ofEveryConnector } from '../../../test/conformance/each.ts'
import { CVC, KEY, NUMBER, paidWith, TOKEN } from '../../../test/conformance/verbs.ts'
import fc from '../../../test/fast-check.ts'
import { replied } from '../../../test/rehearse.ts'
import { Secret } from '../../base/secret.ts'
import type { Reply, Request } from '../../context.ts'
import { redactedExchange } from './exchanges.ts'

const AT = '2026-03-01T10:00:00.000Z'

/**
 * Gives the spellings of a secret: as it is, in groups, in base64 twice, in hexadecimal, percent-encoded, in full
 * width, and backwards.
 */
const spellingsOf = (secret: string): string[] => [
  secret,
  secret.replace(/.{4}(?=.)/g, '$& '),
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret).toString('base64url'),
  Buffer.from(secret).toString('hex'),
  [...Buffer.from(secret)].map(byte => `%${byte.toString(16)}`).join(''),
  [...secret].map(letter => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0)).join(''),
  ...(secret.length > 5 ? [[...secret].reverse().join('')] : []),
]

/** Verifies that the text contains none of these secrets, in none of their spellings. */
function isFree(text: string, secrets: readonly string[]): void {
  for (const secret of secrets) for (const spelled of spellingsOf(secret)) ok(!text.includes(spelled), `${spelled} in ${text}`)
}

const shownOf = (request: Request, reply: Reply, hidden: unknown) => redactedExchange({ request, reply, at: AT, ms: 12 }, hidden)

/** Gives answers in which a processor repeats the secret: in members that are shown, and in others. */
const echoes = (secret: string): object[] =>
  spellingsOf(secret).flatMap(spelled => [
    { error: { message: `${spelled} is no good`, code: spelled, type: 'card_error' } },
    { id: spelled, status: spelled, reference: `x ${spelled}`, nested: [{ message: spelled, whatever: spelled }] },
    { [spelled]: spelled, card: { number: spelled, code: spelled, id: spelled }, amount: { value: 1250, currency: spelled } },
  ])

ofEveryConnector(({ name, account, specimen, everyVerb, answered }) => {
  test(`${name}: a stored exchange contains no card number, security code, key or token in any spelling`, () => {
    for (const [verb, begin] of everyVerb) {
      const instrument = paidWith.get(begin) ?? { is: 'card', number: new Secret(NUMBER), cvc: new Secret(CVC), holder: 'Ada Byron' }
      const hidden = { credentials: account.credentials, secret: account.webhook_secret, instrument }
      const { requests } = answered(verb, begin, replied(200, specimen.answers[verb]))
      for (const request of requests) {
        const own = shownOf(request, replied(200, specimen.answers[verb]), hidden)
        // The token of a request is only in its headers, of which only listed ones are shown.
        isFree(JSON.stringify(own), [NUMBER, CVC, KEY, TOKEN])
      }
      const card = { number: new Secret(NUMBER), cvc: new Secret(CVC) }
      for (const request of requests.slice(0, 1))
        for (const secret of [NUMBER, KEY, CVC])
          for (const body of echoes(secret)) {
            const { answer_body } = shownOf(request, replied(402, body), { ...hidden, card, key: new Secret(KEY) })
            isFree(JSON.stringify(answer_body), [secret])
          }
    }
  })

  test(`${name}: a stored exchange shows the method, URL, status and part of the response`, () => {
    const [verb, begin] = everyVerb[0]!
    const { requests } = answered(verb, begin, replied(200, specimen.answers[verb]))
    const kept = shownOf(requests[0]!, replied(200, specimen.answers[verb]), { credentials: account.credentials })
    equal(kept.method, requests[0]!.method)
    ok(requests[0]!.url.startsWith(kept.url.split('?')[0]!.split('[')[0]!))
    equal(kept.status, 200)
    const leaves = (value: unknown): unknown[] =>
      value !== null && typeof value === 'object' ? Object.values(value).flatMap(leaves) : [value]
    ok(
      leaves(kept.answer_body).some(value => value !== null && value !== '[redacted]'),
      JSON.stringify(kept.answer_body),
    )
  })
})

const ask: Request = { method: 'POST', url: 'https://processor.example/v1/charges', headers: {} }
const hidden = { instrument: { number: new Secret(NUMBER), cvc: new Secret(CVC), holder: 'Ada Byron' }, key: new Secret(KEY) }

test('secrets are redacted under any name and at any depth, in JSON, forms and text', () => {
  const secret = fc.constantFrom(NUMBER, CVC, KEY).chain(one => fc.constantFrom(...spellingsOf(one)))
  const names = fc.oneof(
    fc.constantFrom('id', 'status', 'message', 'code', 'card', 'amount', 'value', 'reason', 'error', 'reference', 'metadata', 'request_id'),
    fc.string({ maxLength: 8 }),
    secret,
  )
  const leaf = fc.oneof(
    secret,
    secret.map(one => `see ${one}.`),
    fc.constantFrom(Number(CVC), Number(NUMBER)),
    fc.string(),
    fc.boolean(),
  )
  const { tree } = fc.letrec<{ tree: unknown }>(tie => ({
    tree: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('tree'), { maxLength: 3 }), fc.dictionary(names, tie('tree'), { maxKeys: 4 })),
  }))
  fc.assert(
    fc.property(tree, fc.constantFrom('json', 'form', 'text'), (value, form) => {
      const json = JSON.stringify(value)
      const body = form === 'json' ? json : form === 'form' ? `amount=1&message=${encodeURIComponent(json)}` : `<p>${json}</p>`
      const kept = shownOf({ ...ask, body }, { is: 'reply', status: 200, headers: { date: json, 'x-key': json }, body }, hidden)
      // A form or a text that is shown in part is one value, in which a secret appears in JSON's quotes.
      isFree(JSON.stringify([kept.body, kept.answer_body, kept.answer_headers]).normalize('NFKC'), [NUMBER, KEY])
      isFree(JSON.stringify([kept.body, kept.answer_body]).replaceAll(/\d{5,}/g, ''), [CVC])
    }),
    { numRuns: 2000 },
  )
})

test('personal data and credentials are redacted; amount, status and decline code are shown', () => {
  const body = {
    id: 'ch_1',
    amount: 1250,
    currency: 'usd',
    status: 'failed',
    decline_code: 'do_not_honor',
    customer: { id: 'cus_1', email: 'ada@example.com', name: 'Ada' },
    billing: { code: '0150' },
    client_secret: 'pi_1_secret_2',
    amount_details: { value: 7 },
    metadata: { request_id: 'REQ1', order: 'of Ada' },
    paid: false,
    phone: null,
  }
  deepEqual(
    shownOf({ ...ask, headers: { authorization: 'Bearer x', 'idempotency-key': 'REQ1' } }, replied(402, body), hidden).answer_body,
    {
      ...body,
      customer: { id: '[redacted]', email: '[redacted]', name: '[redacted]' },
      billing: { code: '[redacted]' },
      client_secret: '[redacted]',
      metadata: { request_id: 'REQ1', order: '[redacted]' },
    },
  )
  deepEqual(
    shownOf(
      { ...ask, headers: { authorization: 'Bearer x', 'idempotency-key': 'REQ1' } },
      { is: 'silence', why: 'response timeout' },
      hidden,
    ),
    {
      method: 'POST',
      url: ask.url,
      headers: { authorization: '[redacted]', 'idempotency-key': 'REQ1' },
      body: null,
      is: 'silence',
      why: 'response timeout',
      status: null,
      answer_headers: null,
      answer_body: null,
      total_ms: 12,
    },
  )
})

test('a long body is truncated, and one that is neither JSON nor a form is not shown', () => {
  const long = {
    data: Array.from({ length: 90 }, () => Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`message${i}`, 'x'.repeat(50)]))),
  }
  const { answer_body } = shownOf(ask, replied(200, long), hidden)
  ok(typeof answer_body === 'string' && answer_body.length < 16_100, String(answer_body).length.toString())
  equal(
    shownOf(ask, { is: 'reply', status: 503, headers: {}, body: '<html>busy</html>' }, hidden).answer_body,
    '[17 characters that are neither JSON nor a form]',
  )
  equal(shownOf({ ...ask, body: 'a=b' }, replied(200, {}), hidden).body !== null, true)
})
