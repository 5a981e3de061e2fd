import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, readFile, symlink, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { cards } from './cards.ts'
import { openLedger } from './ledger.ts'
import { newReference, openShop, openTestSandbox, temporaryFile } from './test-shop.ts'

async function spawnSandbox(ledgerFile: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('main.ts', import.meta.url))], {
    env: { SANDBOX_PORT: '0', SANDBOX_LEDGER: ledgerFile, SANDBOX_DIES_WITH_STDIN: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  after(() => child.kill('SIGKILL'))
  const [line] = await once(createInterface(child.stdout!), 'line')
  return { child, url: /^sandbox listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)![1]! }
}

test('after a restart all payments, keys, clocks, settings, faults and pending delays are restored', async () => {
  const first = await openTestSandbox()
  const shop = openShop(first.url)
  const references = { paid: newReference('pay'), pending: newReference('pay'), refund: newReference('ref') }
  const webhook_url = 'http://127.0.0.1:9/'
  await shop.settings({ webhook_url, webhook_secret: 's', webhooks: 'hold' })
  const paid = await shop.pay('refund_approved_later', { reference: references.paid }, { key: 'k' })
  await shop.refund(paid.id, { reference: references.refund, amount: 200 })
  await shop.advance(60)
  const pending = await shop.pay('approved_later', { reference: references.pending })
  const challenge = await shop.pay('challenge')
  await shop.advance(30)
  await shop.fault('capture', 'latency', { ms: 1 })
  await shop.fault('authorize', 'decline', { times: 2 })
  await shop.pay('approved')
  const before = await shop.ledger()
  await first.close()

  const second = await openTestSandbox(first.ledgerFile)
  const again = openShop(second.url, shop.account)
  const after = await again.ledger()
  assert.deepEqual(JSON.parse(JSON.stringify(after).replaceAll(second.url, first.url)), before)
  assert.equal((await again.settings({})).json.webhooks, 'hold')
  assert.equal((await again.pay('approved')).decline.code, 'card_declined')
  const replay = await again.send('refund_approved_later', { reference: references.paid }, { key: 'k' })
  assert.equal(replay.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(replay.json, { ...paid, payment_state: { ...paid.payment_state, refunded: 200 } })
  assert.equal((await again.find(references.pending)).json.status, 'pending')
  await again.advance(30)
  const decided = await again.get(pending.id)
  assert.equal(decided.status, 'approved')
  assert.equal(Date.parse(decided.updated_at) - Date.parse(pending.created_at), 60_000)
  const page = await fetch(challenge.redirect_url.replace(first.url, second.url))
  assert.match(await page.text(), /Accept/)
})

test('a truncated last line of the ledger file is removed at the start, and later payments are recorded', async () => {
  const first = await openTestSandbox()
  const shop = openShop(first.url)
  const reference = newReference('pay')
  await shop.pay('approved', { reference })
  await first.close()
  const whole = await readFile(first.ledgerFile)
  await appendFile(first.ledgerFile, whole.subarray(0, 200))

  const second = await openTestSandbox(first.ledgerFile)
  const again = openShop(second.url, shop.account)
  assert.deepEqual(await readFile(first.ledgerFile), whole)
  assert.equal((await again.charges()).length, 1)
  await again.pay('approved')
  await second.close()
  const third = await openTestSandbox(first.ledgerFile)
  assert.equal((await openShop(third.url, shop.account).charges()).length, 2)
})

test('a ledger file that is damaged in the middle is refused', async () => {
  const file = await temporaryFile()
  await writeFile(file, '{"account":"a","sent":"r1"}\n{"account":"a","se\n{"account":"a","sent":"r2"}\n')
  await assert.rejects(openTestSandbox(file), /line 2 of the ledger is damaged/)
})

test('a deleted account is removed from the file at the next start, and other accounts are kept', async () => {
  const first = await openTestSandbox()
  const [gone, kept] = [openShop(first.url), openShop(first.url)]
  await gone.pay('approved')
  await kept.pay('approved')
  await gone.call('DELETE', '/control/ledger')
  const reference = newReference('pay')
  await gone.pay('approved', { reference })
  await first.close()
  const second = await openTestSandbox(first.ledgerFile)
  assert.equal((await readFile(first.ledgerFile, 'utf8')).trim().split('\n').length, 2)
  assert.equal((await openShop(second.url, kept.account).charges()).length, 1)
  assert.deepEqual(
    (await openShop(second.url, gone.account).charges()).map((charge: { reference: string }) => charge.reference),
    [reference],
  )
})

test('no card number, security code or cardholder name is written to the file', async () => {
  const { url, ledgerFile } = await openTestSandbox()
  const shop = openShop(url)
  const numbers = Object.values(cards)
    .filter(card => !('fault' in card.does))
    .flatMap(card => [...card.numbers])
  const card = { exp_month: 12, exp_year: 2090, cvc: '9182', holder: 'Ada Lovelace' }
  await Promise.all(numbers.map(number => shop.send('approved', { card: { ...card, number } }, { key: newReference('key').slice(0, 60) })))
  const file = await readFile(ledgerFile, 'utf8')
  for (const number of numbers) {
    assert.ok(!file.includes(number))
    assert.ok(file.includes(number.slice(-4)))
  }
  assert.ok(!file.includes('"9182"'))
  assert.ok(!file.includes('Lovelace'))
})

test('no API key is written to the file', async () => {
  const { url, ledgerFile } = await openTestSandbox()
  const key = `sk_test_${newReference('key')}`
  await openShop(url, { key }).pay('approved')
  const file = await readFile(ledgerFile, 'utf8')
  assert.ok(file.includes('"account":"~'))
  assert.ok(!file.includes(key.slice(8)) && !file.includes('sk_test'))
})

test('a sandbox that is killed loses no payment that it has confirmed', async () => {
  const file = await temporaryFile()
  const references = Array.from({ length: 300 }, () => newReference('pay'))
  const answered = new Map<string, string>()
  let { child, url } = await spawnSandbox(file)
  const shop = openShop(url, 'killed')
  const next = references.values()
  const clerks = Array.from({ length: 20 }, async () => {
    for (const reference of next) {
      try {
        answered.set(reference, (await shop.pay('approved', { reference }, { key: reference })).id)
      } catch {
        return
      }
      if (answered.size === 100) child.kill('SIGKILL')
    }
  })
  await Promise.all(clerks)
  assert.ok(answered.size >= 100 && answered.size < references.length)

  ;({ child, url } = await spawnSandbox(file))
  const again = openShop(url, 'killed')
  const charges: { payment: string; reference: string }[] = await again.charges()
  const charged = new Map(charges.map(charge => [charge.reference, charge.payment]))
  for (const [reference, payment] of answered) assert.equal(charged.get(reference), payment)
  assert.equal(charged.size, charges.length)

  const sentAgain = await Promise.all(references.map(reference => again.pay('approved', { reference }, { key: reference })))
  for (const payment of sentAgain) assert.equal(answered.get(payment.reference) ?? payment.id, payment.id)
  assert.equal((await again.charges()).length, references.length)
})

test('a sandbox exits on SIGTERM or when its stdin closes, even with a hanging request', async () => {
  const file = await temporaryFile()
  const ends = [(child: ChildProcess) => child.kill('SIGTERM'), (child: ChildProcess) => child.stdin!.end()]
  for (const end of ends) {
    const { child, url } = await spawnSandbox(file)
    const shop = openShop(url)
    const hanging = shop.send('charges_then_hangs').catch(() => 'cut')
    await shop.kept()
    const exit = once(child, 'exit')
    end(child)
    assert.deepEqual(await exit, [0, null])
    assert.equal(await hanging, 'cut')
  }
})

test('a full disk stops no sandbox: what was approved meanwhile is written, in its order, once there is room', async () => {
  const folder = dirname(await temporaryFile())
  const file = join(folder, 'full')
  // Every write to /dev/full says that the disk is full.
  await symlink('/dev/full', file)
  const ledger = await openLedger<{ n: number }>(file, 5)
  ledger.append({ n: 1 })
  let isWritten = false
  const first = ledger.synced().then(() => (isWritten = true))
  ledger.append({ n: 2 })
  for (let turns = 0; turns < 5; turns++) await appendFile('/dev/full', 'x').catch(() => {})
  assert.equal(isWritten, false)
  await unlink(file)
  await writeFile(file, '')
  await first
  await ledger.synced()
  await ledger.close()
  assert.deepEqual((await readFile(file, 'utf8')).split('\n'), ['{"n":1}', '{"n":2}', ''])
})
