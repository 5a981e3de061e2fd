import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { allTables } from '../../src/database/table.ts'
import { loadKeys } from '../../src/vault/keys.ts'
import { REFERENCE } from '../../src/vault/sealed.ts'
import { openVault } from '../../src/vault/vault.ts'
import { programFile } from '../programs.ts'
import { ADMIN_KEY, type Answer, type Body, http, openShop, type Shop } from '../shop.ts'

/**
 * Canaries: forty card numbers in six spellings, and their security codes, go through every operation that accepts
 * cards, and through every operation that does not; and the service is killed in the middle. Afterwards no file and no
 * row contains a trace of them, except in values that the vault encrypted.
 */

/**
 * The middle digits of each number, which must not be stored in clear; the eight digits before the last eight may be
 * stored.
 */
const HIDDEN = '7391'
const numbers = Array.from({ length: 40 }, (_, n) => withCheckDigit(`40001299${HIDDEN}${String(n).padStart(3, '0')}`))
const CVC = '9473'
/**
 * Whether a text contains the security code as a number of its own: the same digits occur in the middle of random ids
 * as well.
 */
const containsCvc = (text: string): boolean => /(?<![0-9A-Za-z])(?:9473)+(?![0-9A-Za-z])/.test(text)

function withCheckDigit(digits: string): string {
  const sum = [...digits]
    .reverse()
    .reduce((all, digit, i) => all + (i % 2 === 0 ? [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][Number(digit)]! : Number(digit)), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

const groups = (number: string, between: string) => number.match(/.{4}/g)!.join(between)
const spellings: ((number: string) => string)[] = [
  number => number,
  number => groups(number, ' '),
  number => groups(number, '-'),
  number => groups(number, '\u00a0'),
  number => groups(number, '\u2013'),
  number => ` ${groups(number, '  ')}\t`,
]

/**
 * The byte sequences that may appear nowhere: four digits that may be stored and four that may not, in each spelling,
 * and in other encodings.
 */
const traces = ((): Buffer[] => {
  const clear = ['', ' ', '-', '\u00a0', '\u2013', '  '].map(between => `1299${between}${HIDDEN}`)
  const hex = Buffer.from(clear[0]!).toString('hex')
  // Base64 of the middle digits, for each position in a group of three bytes.
  const base64 = [0, 1, 2].map(skip =>
    Buffer.from('.'.repeat(skip) + numbers[0]!.slice(2, 12))
      .toString('base64')
      .slice(4, 12),
  )
  return [...clear, hex, ...base64].map(text => Buffer.from(text))
})()

function holds(bytes: Buffer, where: string): void {
  for (const trace of traces) {
    const at = bytes.indexOf(trace)
    ok(at < 0, `${where} holds ${trace} : …${bytes.toString('latin1', Math.max(0, at - 60), at + 60)}…`)
  }
}

/**
 * Gives a row, as PostgreSQL writes it, as what is searched: its text, and each `bytea` as the bytes that it holds. Its
 * hexadecimal digits are not searched: in some millions of random ones, any eight digits turn up by chance.
 */
function bytesOfRow(row: string): Buffer[] {
  const binary: Buffer[] = []
  const text = row.replace(/\\\\x((?:[0-9a-f]{2})*)/g, (_, hex: string) => {
    binary.push(Buffer.from(hex, 'hex'))
    return ''
  })
  return [Buffer.from(text), ...binary]
}

/**
 * Reads a file; null if it is gone: files disappear meanwhile, because other tests drop their databases on the same
 * server.
 */
async function unlessGone<T>(look: () => T | Promise<T>): Promise<T | null> {
  try {
    return await look()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Gives the files of a folder and of its subfolders. */
async function* filesIn(folder: string): AsyncIterable<string> {
  for (const entry of (await unlessGone(() => readdirSync(folder, { withFileTypes: true }))) ?? []) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesIn(path)
    else if (entry.isFile()) yield path
  }
}

const CHUNK = 1 << 24
/**
 * Searches a file for traces. Gives its size and whether it contains the text `known`, which proves that the search
 * finds text; null if the file is gone. It lets others in between its pieces: a search of minutes at once would leave
 * connections that their servers have closed meanwhile, and the next call would meet one.
 */
async function searchFile(path: string, known: string): Promise<{ size: number; knows: boolean } | null> {
  let knows = false
  const file = await unlessGone(() => open(path, 'r'))
  if (file === null) return null
  const chunk = Buffer.alloc(CHUNK)
  let size = 0
  try {
    for (let at = 0; ; at += CHUNK - 64) {
      const { bytesRead: read } = await file.read(chunk, 0, CHUNK, at)
      holds(chunk.subarray(0, read), path)
      knows ||= chunk.subarray(0, read).includes(known)
      size = at + read
      if (read < CHUNK) return { size, knows }
    }
  } finally {
    await file.close()
  }
}

const card = (number: string, more: Body = {}): Body => ({
  card_number: number,
  card_exp_month: '12',
  card_exp_year: '2040',
  card_cvc: CVC,
  card_holder_name: 'Grace Hopper',
  ...more,
})

/**
 * Makes every call that accepts a card, with this card. Gives the answers of all kinds; none of them may be a 5xx, or
 * repeat the card.
 */
async function everything(shop: Shop, written: string, n: number): Promise<Answer[]> {
  const customer_id = `cus_${n % 5}`
  const data = { payment_method_data: { card: card(written) } }
  const byBrowser = (path: string, body: Body) => http('POST', shop.url + path, body, { 'api-key': shop.publishable_key })
  const answers: Answer[] = []
  const did = async (answer: Promise<Answer>) => {
    const one = await answer
    answers.push(one)
    return one
  }
  await did(shop.tryToPay(data))
  await did(shop.tryToPay({ ...data, customer_id, email: 'grace@example.com' }, { 'idempotency-key': `pay-${n}-${written.length}` }))
  const held = await did(shop.tryToPay({ ...data, capture_method: 'manual' }))
  if (held.status === 200) await did(shop.capture(held.body.payment_id))
  const later = await did(shop.tryToPay({ ...data, confirm: false }))
  if (later.status === 200) await did(shop.confirm(later.body.payment_id))
  const empty = await did(shop.tryToPay({ confirm: false, payment_method: undefined, payment_method_data: undefined, customer_id }))
  await did(
    byBrowser(`/payments/${empty.body.payment_id}/confirm`, { client_secret: empty.body.client_secret, payment_method: 'card', ...data }),
  )
  const saved = await did(shop.post('/payment_methods', { payment_method: 'card', customer_id, card: card(written) }))
  const id = saved.body?.payment_method_id
  if (id) {
    await did(shop.post(`/payment_methods/${id}/update`, { card: { card_number: written, card_exp_year: '2041', card_cvc: CVC } }))
    const { customer_payment_methods } = (await did(shop.call('GET', `/customers/${customer_id}/payment_methods`))).body
    const { payment_token } = customer_payment_methods[0]
    await did(shop.tryToPay({ customer_id, payment_method_data: undefined, payment_token, card_cvc: CVC }))
  }
  // Requests that are refused: because of the card, and because a card is in the wrong place.
  for (const more of [
    { card_exp_year: '2020' },
    { card_exp_month: '13' },
    { card_cvc: `${CVC}${CVC}` },
    { card_number: `${written}1` },
    { nick_name: written },
  ])
    await did(shop.tryToPay({ payment_method_data: { card: card(written, more) } }))
  for (const more of [
    { description: written },
    { metadata: { note: written } },
    { [written]: 1 },
    { currency: written },
    { amount: written },
  ])
    await did(shop.post('/payments', { ...shop.payBody(data), ...more }))
  await did(shop.post('/payments', `{"amount": 1, "card": "${written}", "card_cvc": "${CVC}"`))
  await did(shop.call('GET', `/payments/${encodeURIComponent(written)}`))
  await did(shop.call('GET', `/customers/list?email=${encodeURIComponent(written)}`))
  await did(shop.post('/blocklist', { type: 'card_bin', data: written }))
  await did(shop.tryToPay(data, { 'idempotency-key': written.replace(/[^\x21-\x7e]/g, '') }))
  return answers
}

/** Kills a service while its processor has the request. */
async function killed(shop: Shop, body: Body): Promise<void> {
  const child = spawn(process.execPath, [programFile('test/long/mortal.ts')], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      ...process.env,
      DIE_AT: 'send.1.during',
      CLOCK_AHEAD: String(shop.clock.ahead),
      DATABASE_URL: shop.databaseUrl,
      PORT: '0',
      ADMIN_API_KEY: ADMIN_KEY,
      KEY_FILE: shop.keyFile,
      FILES_FOLDER: join(dirname(shop.keyFile), 'files'),
      SANDBOX_URL: shop.processor.url,
      LOG_LEVEL: 'debug',
      ...shop.split?.environment,
    },
  })
  let output = ''
  const ready = Promise.withResolvers<string>()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', data => {
      output += data
      const url = output.match(/ready (http\S+)/)?.[1]
      if (url) ready.resolve(url)
    })
  const gone = new Promise<NodeJS.Signals | null>(resolve => child.on('exit', (_code, signal) => resolve(signal)))
  const url = await ready.promise
  await http('POST', `${url}/payments`, shop.payBody(body), { 'api-key': shop.api_key }).catch(() => {})
  equal(await gone, 'SIGKILL')
  holds(Buffer.from(output), 'what the killed service said')
}

/** Gives the same shop at another process of the service. */
function at(shop: Shop, url: string): Shop {
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    http(method, url + path, body, { 'api-key': shop.api_key, ...headers })
  const post = (path: string, body: unknown, headers?: Record<string, string>) => call('POST', path, body, headers)
  return {
    ...shop,
    url,
    call,
    post,
    tryToPay: (ask = {}, headers?) => post('/payments', shop.payBody(ask), headers),
    capture: (id: string, amount_to_capture?: number) => post(`/payments/${id}/capture`, { amount_to_capture }),
    confirm: (id: string, body: unknown = {}) => post(`/payments/${id}/confirm`, body),
  }
}

/**
 * Opens a service in its released form, in a process of its own that writes its heap to a file on a signal; `snapshot`
 * gives this file.
 */
async function openProcess(shop: Shop) {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-heap-'))
  const flags = ['--heapsnapshot-signal=SIGUSR2', `--diagnostic-dir=${folder}`]
  const child = spawn(process.execPath, [...flags, 'src/main.ts'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: shop.databaseUrl,
      PORT: '0',
      ADMIN_API_KEY: ADMIN_KEY,
      KEY_FILE: shop.keyFile,
      FILES_FOLDER: join(dirname(shop.keyFile), 'files'),
      SANDBOX_URL: shop.processor.url,
      DIES_WITH_STDIN: '1',
      LOG_LEVEL: 'debug',
      ...shop.split?.environment,
    },
  })
  const ended = new Promise(resolve => child.on('exit', resolve))
  const ready = Promise.withResolvers<string>()
  let output = ''
  child.stdout.on('data', data => {
    if (url === '') output += data
    const found = output.match(/"url":"(http[^"]+)"/)?.[1]
    if (found) ready.resolve(found)
  })
  let url = ''
  url = await ready.promise
  return {
    url,
    /** Writes the heap after garbage collection (V8 collects twice before it writes). Gives the path of the file. */
    async snapshot(): Promise<string> {
      child.kill('SIGUSR2')
      const written = () => readdirSync(folder).find(name => name.endsWith('.heapsnapshot'))
      // The process writes the file before it answers another request.
      while (!written()) await http('GET', `${url}/health`)
      await http('GET', `${url}/health`)
      return join(folder, written()!)
    },
    async close() {
      child.stdin.end()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Gives the complete texts of a heap: the names of its nodes that are strings. */
function textsIn(file: string): Set<string> {
  type Heap = { snapshot: { meta: { node_fields: string[]; node_types: string[][] } }; nodes: number[]; strings: string[] }
  const { snapshot, nodes, strings } = JSON.parse(readFileSync(file, 'utf8')) as Heap
  const { node_fields: fields, node_types: types } = snapshot.meta
  const name = fields.indexOf('name')
  const texts = new Set<string>()
  for (let at = 0; at < nodes.length; at += fields.length)
    if (types[0]![nodes[at]!]!.endsWith('string')) texts.add(strings[nodes[at + name]!]!)
  return texts
}

/**
 * Searches all rows of all tables, with all columns, as in a dump; and decrypts the encrypted values. Gives the number
 * of values decrypted.
 */
async function openAll({ query, keyFile }: Pick<Shop, 'query' | 'keyFile'>): Promise<number> {
  const vault = openVault(loadKeys({ mode: 'live', keys: null, command: null, file: keyFile }))
  let opened = 0
  for (const table of allTables()) {
    for (const { row } of await query(`select t::text as row from ${table.name} t`)) {
      for (const bytes of bytesOfRow(row)) holds(bytes, `table ${table.name}`)
      ok(!row.includes(`"${CVC}"`), `table ${table.name}: ${row}`)
    }
    for (const [column, { is }] of Object.entries(table.columns)) {
      for (const { record } of is.sealed.filter(({ member }) => member === null)) {
        for (const row of await query(`select * from ${table.name} where ${column} is not null`)) {
          if (row[column][0] === REFERENCE) continue
          const clear = vault.open(row.merchant_id, record(row), row[column])
          opened++
          ok(!containsCvc(clear.toString()), `${table.name}: a security code is sealed`)
          if (table.name !== 'vault_records') holds(Buffer.from(clear), `${table.name}, opened,`)
        }
      }
    }
  }
  return opened
}

test('the search finds a card number in every spelling, in hexadecimal and in base64', () => {
  for (const spell of spellings) throws(() => holds(Buffer.from(`a ${spell(numbers[3]!)} b`), 'it'), spell(numbers[3]!))
  const whole = Buffer.from(numbers[9]!)
  throws(() => holds(Buffer.from(whole.toString('hex')), 'it'))
  for (const before of ['', 'a', 'ab']) throws(() => holds(Buffer.from(Buffer.from(before + numbers[9]).toString('base64')), 'it'), before)
})

test('bytea columns are searched as bytes, so that random hexadecimal digits do not match', async () => {
  const { query } = await openShop()
  const rowWith = async (bytes: Buffer, text: string): Promise<Buffer[]> => {
    const [{ row }] = (await query('select r::text as row from (select $1::bytea, $2::text) r', [bytes, text])) as [{ row: string }]
    return bytesOfRow(row)
  }
  const search = (found: Buffer[]) => {
    for (const bytes of found) holds(bytes, 'it')
  }
  search(await rowWith(Buffer.from(`b251299${HIDDEN}b6`, 'hex'), 'nothing'))
  const inBytes = await rowWith(Buffer.from(`a ${numbers[3]} b`), 'nothing')
  throws(() => search(inBytes))
  const inText = await rowWith(Buffer.from('00', 'hex'), `a "${numbers[3]}" b`)
  throws(() => search(inText))
})

test('forty card numbers in six spellings, and their security codes, leave no trace except encrypted values', {
  timeout: 600_000,
}, async () => {
  const shop = await openShop()
  for (let n = 0; n < 5; n++) equal((await shop.post('/customers', { customer_id: `cus_${n}` })).status, 200)
  const statuses = new Set<number>()
  for (const [n, number] of numbers.entries()) {
    const spelt = spellings.map(spell => everything(shop, spell(number), n))
    for (const { status, text, headers } of (await Promise.all(spelt)).flat()) {
      statuses.add(status)
      ok(status < 500, text)
      holds(Buffer.from(text + JSON.stringify(headers)), 'an answer')
      ok(!containsCvc(text), text)
    }
  }
  ok([200, 400, 404].every(status => statuses.has(status)))
  await killed(shop, { payment_method_data: { card: card(numbers[7]!) } })

  // A challenged payment: its card waits encrypted for the customer.
  const challenged = await shop.pay({ authentication_type: 'three_ds', payment_method_data: { card: card('4000003800000446') } })
  equal(challenged.status, 'requires_customer_action')
  const waits = await shop.create({ payment_method_data: { card: card(numbers[1]!) } })
  const waiting = () => shop.query('select payment_id from waiting_cvcs where merchant_id = $1', [shop.merchant_id])
  ok((await waiting()).some(({ payment_id }) => payment_id === waits.payment_id))
  await shop.wait('16 minutes')
  deepEqual(await waiting(), [], 'a security code waits a quarter of an hour at most')
  await shop.split?.forgetExpired()

  let opened = await openAll({ query: shop.query, keyFile: shop.keyFile })
  if (shop.split) {
    const { databaseUrl, keyFile } = shop.split
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    opened += await openAll({ query: async (text, values) => (await client.query(text, values)).rows, keyFile }).finally(() => client.end())
    deepEqual(
      await shop.query(`select record from vault_records where substring(sealed from 1 for 1) <> '\\x03'`),
      [],
      'our rows hold references alone',
    )
  }
  ok(opened > 200)

  // The database's files: tables, their indexes, and the write-ahead log.
  await shop.query('checkpoint')
  const [{ data_directory }] = (await shop.query('show data_directory')) as [{ data_directory: string }]
  const searched: { knows: boolean; isWal: boolean }[] = []
  for await (const path of filesIn(data_directory)) {
    const found = await searchFile(path, shop.merchant_id)
    if (found) searched.push({ ...found, isWal: path.includes('/pg_wal/') })
  }
  ok(searched.some(({ knows, isWal }) => knows && isWal) && searched.some(({ knows, isWal }) => knows && !isWal))
  // The log lines of the service.
  for (const line of [...shop.logs, ...(shop.split?.logs ?? [])]) {
    holds(Buffer.from(line), 'the log')
    ok(!line.includes(`"${CVC}"`))
  }
})

test('the heap of an idle service contains no card number and no security code that it received', {
  timeout: 600_000,
}, async () => {
  const shop = await openShop()
  // The other process uses the real clock, and so must the separate vault process, if there is one.
  shop.clock.ahead = 0
  for (let n = 0; n < 5; n++) equal((await shop.post('/customers', { customer_id: `cus_${n}` })).status, 200)
  const service = await openProcess(shop)
  try {
    const there = at(shop, service.url)
    for (const [n, number] of numbers.entries())
      for (const { status, text } of await everything(there, spellings[n % spellings.length]!(number), n)) ok(status < 500, text)
    // V8 keeps the last text that a regular expression has matched, so the last request stays in memory until another
    // one replaces it.
    for (let i = 0; i < 20; i++) await there.tryToPay({ confirm: false, payment_method: undefined, payment_method_data: undefined })
    const file = await service.snapshot()
    const { knows, size } = (await searchFile(file, shop.merchant_id))!
    ok(knows && size > 1_000_000)
    const texts = textsIn(file)
    ok(texts.has(shop.merchant_id))
    ok(!texts.has(CVC), 'no text of it is a security code')
  } finally {
    await service.close()
  }
})
