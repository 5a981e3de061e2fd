import { equal } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import { openShop } from '../../shop.ts'
import { isUnharmed } from './afterwards.ts'
import { rowsOf } from './attacks.ts'
import { faultOfRefusal, openComplaints, type RawAnswer, shout } from './knock.ts'

/** Bad input in the headers of a request, and in headers that describe its body. */

const newPaymentId = (): string => `pay_${randomBytes(13).toString('hex')}`

test('a hostile value in a header is accepted or refused', async t => {
  const shop = await openShop()
  const complaints = openComplaints()
  const goodBody = JSON.stringify({ amount: 1250, currency: 'USD' })
  const rows = await rowsOf(shop, 'payments')
  let created = 0
  const send = async (
    name: string,
    lines: (string | Buffer)[],
    allowed: (answer: RawAnswer) => boolean,
    body: string | Buffer = goodBody,
  ) => {
    const head = [
      'POST /payments HTTP/1.1',
      'host: a',
      'connection: close',
      ...(lines.some(line => /^content-length|^transfer-encoding/i.test(String(line)))
        ? []
        : [`content-length: ${Buffer.byteLength(body)}`]),
    ]
    const bytes = Buffer.concat([
      Buffer.from(`${head.join('\r\n')}\r\n`),
      ...lines.flatMap(line => [Buffer.from(line as string), Buffer.from('\r\n')]),
      Buffer.from('\r\n'),
      Buffer.from(body as string),
    ])
    const answer = await shout(shop.url, bytes)
    if (answer.status === 200) created++
    if (!allowed(answer)) complaints.about(['headers'], { name }, answer, 'is answered in a way that was not expected')
  }
  const key = `api-key: ${shop.api_key}`
  const json = 'content-type: application/json'
  const refused = (status: number, code: string) => (answer: RawAnswer) =>
    answer.status === status && answer.body?.error?.code === code && !faultOfRefusal(answer)
  const fine = (answer: RawAnswer) => answer.status === 200
  /** Node refuses such a request before the service sees it. */
  const notHttp = (answer: RawAnswer) => answer.status === 400 || answer.status === 431
  const utf8 = (name: string, text: string) => Buffer.from(`${name}: ${text}`, 'utf8')

  const odd = [
    '',
    ' ',
    'undefined',
    '__proto__',
    'constructor',
    "' or 1=1--",
    '%00',
    'x'.repeat(8000),
    `${shop.api_key} `.repeat(2),
    `${shop.api_key},${shop.api_key}`,
    'pk_',
    'pk_snd_',
    'snd_',
    `${shop.api_key}x`,
  ]
  for (const value of odd) await send(`api-key ${value.slice(0, 30)}`, [`api-key: ${value}`, json], refused(401, 'IR_01'))
  await send('api-key in UTF-8', [utf8('api-key', 'ключ👍'), json], refused(401, 'IR_01'))
  await send('api-key twice', [key, key, json], refused(401, 'IR_01'))
  await send('api-key with U+0000', [`${key}\0`, json], notHttp)
  await send('no api-key', [json], refused(401, 'IR_01'))
  await send('a publishable key', [`api-key: ${shop.publishable_key}`, json], refused(403, 'IR_22'))
  const token = (text: string) => `authorization: ${Buffer.from(text).toString('base64')}`
  const confirm = async (name: string, line: string) => {
    const answer = await shout(shop.url, `GET /payments/${newPaymentId()} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${line}\r\n\r\n`)
    if (answer.status !== 401 || faultOfRefusal(answer)) complaints.about(['authorization'], { name }, answer, 'is not a 401')
  }
  await confirm('a token with U+0000', token('publishable_key=pk_snd_\0,client_secret=a'))
  await confirm('a token of half a character', `authorization: ${Buffer.from([0xff, 0xfe, 0x2c]).toString('base64')}`)
  await confirm(
    'a token with a lone surrogate as bytes',
    `authorization: ${Buffer.concat([Buffer.from('client_secret=a,publishable_key=pk_'), Buffer.from([0xed, 0xa0, 0x80])]).toString('base64')}`,
  )
  await confirm('a token that is none', 'authorization: Bearer ====')
  await confirm('a token with odd names', token('__proto__=pk_a,client_secret=b'))

  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application',
    'json',
    ';',
    'application/',
    'a/b/c',
    'application/jsonx',
    'application/json-patch',
    'application/x-json-nothing',
    'x'.repeat(5000),
    "application/json'--",
  ])
    await send(`content-type ${type.slice(0, 30)}`, [key, `content-type: ${type}`], refused(400, 'IR_06'))
  for (const type of [
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/merge-patch+json',
    'application/json ; a=b',
  ])
    await send(`content-type ${type}`, [key, `content-type: ${type}`], fine)
  await send('no content-type', [key], refused(400, 'IR_06'))
  await send(
    'content-type twice',
    [key, json, 'content-type: text/plain'],
    answer => answer.status === 200 || refused(400, 'IR_06')(answer),
  )
  await send(
    'another charset',
    [key, 'content-type: application/json; charset=utf-16le'],
    refused(400, 'IR_06'),
    Buffer.from(goodBody, 'utf16le'),
  )
  await send('another encoding', [key, json, 'content-encoding: gzip'], refused(415, 'IR_06'), Buffer.from([0x1f, 0x8b, 8, 0, 0]))

  for (const value of ['', ' ', 'a b', 'x'.repeat(256), 'ключ', 'a\tb', '👍'])
    await send(`idempotency-key ${value.slice(0, 30)}`, [key, json, utf8('idempotency-key', value)], refused(422, 'IR_05'))
  for (const value of ['x'.repeat(255), '__proto__', 'constructor', "';drop--", '%00', '../..'])
    await send(`idempotency-key ${value.slice(0, 30)}`, [key, json, `idempotency-key: ${value}`], fine)
  await send('idempotency-key twice', [key, json, 'idempotency-key: a1', 'idempotency-key: b1'], refused(422, 'IR_05'))
  await send('idempotency-key twice the same', [key, json, 'idempotency-key: a2', 'idempotency-key: a2'], refused(422, 'IR_05'))

  for (const value of ['', 'x'.repeat(5000), '<script>', 'ключ', '%00', '$'.concat('{jndi:ldap://a}'), '../..'])
    await send(
      `x-request-id ${value.slice(0, 30)}`,
      [key, json, utf8('x-request-id', value)],
      answer => answer.status === 200 && /^[A-Za-z0-9_.:-]{1,128}$/.test(answer.headers['x-request-id'] as string),
    )
  await send('x-request-id twice', [key, json, 'x-request-id: a', 'x-request-id: b'], fine)
  await send('headers of 20 kB', [key, json, `x-a: ${'x'.repeat(20_000)}`], notHttp)
  await send(
    'a thousand headers',
    [key, json, ...Array.from({ length: 1000 }, (_, i) => `x-${i}: a`)],
    answer => answer.status === 200 || notHttp(answer),
  )

  await send('content-length too small', [key, json, 'content-length: 5'], answer => answer.status === 400)
  await send('content-length negative', [key, json, 'content-length: -1'], notHttp)
  await send('content-length no number', [key, json, 'content-length: x'], notHttp)
  await send('content-length twice', [key, json, 'content-length: 5', 'content-length: 6'], notHttp)
  await send('content-length and chunks', [key, json, 'content-length: 5', 'transfer-encoding: chunked'], notHttp)
  await send('a huge content-length', [key, json, 'content-length: 99999999999'], answer => refused(400, 'IR_06')(answer))
  await send('chunks', [key, json, 'transfer-encoding: chunked'], fine, `${goodBody.length.toString(16)}\r\n${goodBody}\r\n0\r\n\r\n`)
  await send(
    'chunks of one byte',
    [key, json, 'transfer-encoding: chunked'],
    fine,
    `${[...goodBody].map(c => `1\r\n${c}\r\n`).join('')}0\r\n\r\n`,
  )
  await send('a chunk that is none', [key, json, 'transfer-encoding: chunked'], notHttp, 'zz\r\n{}\r\n0\r\n\r\n')
  await send('an unknown encoding', [key, json, 'transfer-encoding: rot13'], answer => answer.status >= 400 && answer.status !== 500)
  t.diagnostic(`${created} accepted`)
  complaints.none()
  equal((await rowsOf(shop, 'payments')) - rows, created, 'what is refused leaves no row')
})

test('after the hostile input the service takes a payment, has logged no error, and its heap has not grown', isUnharmed)
