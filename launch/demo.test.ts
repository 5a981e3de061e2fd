// The demo shop on the real service and the real sandbox, also after its notes were lost or changed. Its payments are
// never lost.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { inTheDemo, payersInTheDemo } from '../sandbox/homes.ts'
import { newDatabase } from '../test/shop.ts'
import { ask } from './ask.ts'
import { projectDir } from './binaries.ts'
import type { Demo } from './demo.ts'
import { Everything } from './everything.ts'
import { greeting } from './greeting.ts'
import { keep, readKept } from './keep.ts'
import { choosePort } from './ports.ts'
import { tempDir } from './rehearsal.ts'

const scripts = { service: join(projectDir, 'src', 'main.ts'), sandbox: join(projectDir, 'sandbox', 'main.ts') }

type Shop = Demo & { base: string; sandbox: string; greeting: string }

/** A data folder and a database, both new. Gives what makes one start on them. */
async function openPlace() {
  const [dir, database] = [tempDir(), await newDatabase()]
  after(() => database.drop())
  return { dir, once: <T>(work: (shop: Shop) => Promise<T>) => once(database.url, dir, work) }
}

/** One start on the folder, and what the work did while it was up. */
async function once<T>(databaseUrl: string, dataDir: string, work: (shop: Shop) => Promise<T>): Promise<T> {
  const lines: string[] = []
  const sandbox = await choosePort({ setting: 'SANDBOX_PORT', given: '0', usual: 0, host: '127.0.0.1' })
  const all = new Everything({
    dataDir,
    scripts,
    env: { DATABASE_URL: databaseUrl, PORT: '0', SANDBOX_PORT: String(sandbox) },
    say: line => lines.push(line),
    raw: () => {},
  })
  try {
    const up = await all.start()
    const { base, demo } = up
    const result = await work({ greeting: greeting(up), ...demo!, base, sandbox: `http://127.0.0.1:${sandbox}` })
    // A webhook that is refused would be a warning; that a start takes its time is said as well.
    assert.deepEqual(
      lines.filter(line => !line.includes('is not ready yet')),
      [],
    )
    return result
  } finally {
    await all.stop()
  }
}

const card = { card_number: '4000000000001976', card_exp_month: '12', card_exp_year: '2040', card_cvc: '737' }
const order = { amount: 1250, currency: 'USD', confirm: true, payment_method: 'card', payment_method_data: { card } }

const shown = async ({ base, api_key }: { base: string; api_key: string }, id: string) =>
  (await ask('GET', `${base}/payments/${id}`, { 'api-key': api_key })).body as { payment_id: string; status: string }

/**
 * A payment that the processor approves later: it has succeeded only if the webhook arrives and its signature is
 * believed.
 */
async function payWithWebhook(shop: Shop): Promise<string> {
  const { payment_id } = (await ask('POST', `${shop.base}/payments`, { 'api-key': shop.api_key }, order)).body as { payment_id: string }
  assert.equal((await shown(shop, payment_id)).status, 'processing')
  const control = (method: string, path: string, body?: object) =>
    ask(method, `${shop.sandbox}/control${path}`, { authorization: 'Bearer sandbox_demo' }, body)
  const { operations } = (await control('GET', '/ledger')).body as { operations: { id: string }[] }
  await control('POST', `/operations/${operations.at(-1)!.id}`, { status: 'approved' })
  await control('POST', '/webhooks/flush')
  assert.equal((await shown(shop, payment_id)).status, 'succeeded')
  return payment_id
}

/**
 * A hold at each processor whose language the sandbox speaks, captured: at one that tells only later, the shop has
 * its money only if the webhook is believed.
 */
async function captureEverywhere(shop: Shop): Promise<void> {
  const call = (path: string, body: object) => ask('POST', `${shop.base}/payments${path}`, { 'api-key': shop.api_key }, body)
  for (const name of ['phonypay', 'stripe', 'adyen']) {
    const held = { card_number: '4111111111111111', card_exp_month: '12', card_exp_year: '2040', card_cvc: '737' }
    const hold = { ...order, payment_method_data: { card: held }, capture_method: 'manual', connector: [name] }
    const { payment_id, status } = (await call('', hold)).body as { payment_id: string; status: string }
    assert.equal(status, 'requires_capture', name)
    await call(`/${payment_id}/capture`, {})
    await ask('POST', `${shop.sandbox}/control/webhooks/flush`, {
      authorization: `Bearer sandbox_demo${name === 'phonypay' ? '' : `_${name}`}`,
    })
    assert.equal((await shown(shop, payment_id)).status, 'succeeded', name)
  }
}

/** What was printed to be pasted is pasted, and after it the first example of the README. */
function pasteAndPay({ greeting, base }: Shop): void {
  const exports = greeting.match(/^export .*$/gm) ?? []
  assert.deepEqual(
    exports.map(line => line.slice(7, line.indexOf('='))),
    ['SWITCHYARD', 'KEY', 'PUBLISHABLE_KEY', 'ADMIN_KEY'],
  )
  assert.ok(exports.every(line => !line.includes('…')) && exports[0] === `export SWITCHYARD=${base}`)
  assert.match(greeting, /^ {2}database {9}postgresql:\/\//m)
  const example = /^```sh example\n(.*?)^```$/ms.exec(readFileSync(join(projectDir, 'README.md'), 'utf8'))![1]
  const env = { PATH: process.env.PATH }
  const answer = execFileSync('bash', ['-ec', [...exports, example].join('\n')], { env, encoding: 'utf8' })
  assert.equal(JSON.parse(answer).status, 'succeeded')
}

const approving = { card_number: '4242424242424242', card_exp_month: '12', card_exp_year: '2040', card_cvc: '737' }
const byTelephone = {
  currency: 'KES',
  payment_method: 'mobile_payment',
  payment_method_type: 'direct_carrier_billing',
  payment_method_data: { mobile_payment: { direct_carrier_billing: { msisdn: '254700004242' } } },
}
const atTheirBank = {
  currency: 'EUR',
  payment_method: 'bank_redirect',
  payment_method_type: 'ideal',
  payment_method_data: { bank_redirect: { ideal: {} } },
}
/** Processors without cards: the customer says yes on their telephone, or at their bank. */
const otherwise: Readonly<Record<string, { ask: object; status: string }>> = {
  fiftyfourpay: { ask: byTelephone, status: 'processing' },
  honeycoin: { ask: byTelephone, status: 'processing' },
  mollie: { ask: atTheirBank, status: 'requires_customer_action' },
}
const byWallet = { payout_type: 'wallet', payout_method_data: { wallet: { paypal: { email: 'ada4242@example.com' } } } }
const byBank = {
  payout_type: 'bank',
  payout_method_data: { bank: { iban: 'DE69370400440532004242', account_holder_name: 'Ada Byron' } },
}
const byName = {
  payout_type: 'passthrough',
  payout_method_data: { passthrough: { psp_token: 'acct_1Nnlp9GPxmnH4242', token_type: 'ach' } },
}
/** Who does not pay out to cards. */
const toOthers: Readonly<Record<string, object>> = { paypal: byWallet, adyenplatform: byBank, stripe: byName }
/** Payouts are only received, and paid later. */
const received: readonly string[] = ['paypal', 'checkout', 'adyenplatform']

/**
 * One payment at each processor of the shop, and one payout from each that pays out; what the processor announces is
 * believed. Where none is named, the sandbox's own has them.
 */
async function payEverywhere({ base, api_key }: Shop): Promise<void> {
  const post = async (path: string, body: object) =>
    (await ask('POST', base + path, { 'api-key': api_key }, body)).body as { status: string; connector: string }
  const paid = async (connector: string | null) => {
    const { status, connector: by } = await post('/payments', {
      ...order,
      payment_method_data: { card: approving },
      ...otherwise[connector ?? '']?.ask,
      ...(connector !== null && { connector: [connector] }),
    })
    return [by, status]
  }
  const paidOut = async (connector: string | null) => {
    const to = { card_number: '4242424242424242', expiry_month: '12', expiry_year: '2040', card_holder_name: 'Ada Byron' }
    const { status, connector: by } = await post('/payouts/create', {
      ...{ amount: 9900, currency: 'EUR', confirm: true, auto_fulfill: true, payout_type: 'card', payout_method_data: { card: to } },
      ...toOthers[connector ?? ''],
      ...(connector !== null && { connector: [connector] }),
    })
    return [by, status]
  }
  for (const name of ['phonypay', ...inTheDemo]) assert.deepEqual(await paid(name), [name, otherwise[name]?.status ?? 'succeeded'])
  for (const name of payersInTheDemo) assert.deepEqual(await paidOut(name), [name, received.includes(name) ? 'initiated' : 'success'])
  assert.deepEqual(
    [await paid(null), await paidOut(null)],
    [
      ['phonypay', 'succeeded'],
      ['phonypay', 'success'],
    ],
  )
}

const change = (file: string, how: (kept: Partial<Demo>) => object) => keep(file, how(readKept<Demo>(file)))

test('after its notes, the sandbox ledger or both are lost, a restart brings up a working demo shop, and earlier payments are kept', async () => {
  const { dir, once } = await openPlace()
  const [notes, ledger] = [join(dir, 'demo.json'), join(dir, 'sandbox.ledger')]
  const payments: string[] = []
  const payAndLook = (merchant: string) => async (shop: Shop) => {
    assert.equal(shop.merchant_id, merchant)
    payments.push(await payWithWebhook(shop))
    await captureEverywhere(shop)
    for (const id of payments) assert.equal((await shown(shop, id)).status, 'succeeded')
    return shop
  }
  await once(async shop => {
    pasteAndPay(shop)
    await payEverywhere(shop)
    return payAndLook('demo')(shop)
  })
  rmSync(ledger)
  await once(payAndLook('demo'))
  rmSync(notes)
  const first = await once(payAndLook('demo'))

  // Now the secret of its webhooks is lost: it is left as it is, and another is opened beside it.
  for (const file of [notes, ledger]) rmSync(file)
  const [old] = payments.splice(0)
  const { merchant_id } = await once(async second => {
    assert.notEqual(second.merchant_id, 'demo')
    assert.equal((await shown({ ...second, api_key: first.api_key }, old!)).status, 'succeeded')
    return payAndLook(second.merchant_id)(second)
  })

  change(notes, ({ merchant_connector_id: _, ...rest }) => ({ ...rest, webhook_secret: 'another' }))
  await once(payAndLook(merchant_id))
  change(notes, kept => ({ ...kept, merchant_connector_id: 'mca_nowhere', api_key: 'snd_nothing' }))
  await once(payAndLook(merchant_id))
})

/** Runs the command that makes sample payments. */
const runDemoData = (dir: string, ...args: string[]) =>
  execFileSync(process.execPath, [join(projectDir, 'launch', 'run.mjs'), join(projectDir, 'launch', 'demo-data.ts'), ...args], {
    env: { ...process.env, SWITCHYARD_DATA: dir },
    encoding: 'utf8',
  })

test('after sample payments were made, good cards are approved at every account: no declines are left behind', async () => {
  const { dir, once } = await openPlace()
  await once(async shop => {
    assert.match(runDemoData(dir, '--payments', '120', '--days', '3'), /Created \d+ payments/)
    for (const key of ['sandbox_demo', 'sandbox_demo_stripe', 'sandbox_demo_adyen']) {
      const faults = (method: string, body?: object) =>
        ask(method, `${shop.sandbox}/control/faults`, { authorization: `Bearer ${key}` }, body)
      // The answer lists all faults that are armed, with the new one.
      const { body } = await faults('POST', { call: 'authorize', fault: 'decline' })
      assert.equal((body as { faults: unknown[] }).faults.length, 1, key)
      await faults('DELETE')
    }
  })
})

test('the start prints a one-time link to create the first owner, and none once an owner exists', async () => {
  const { once } = await openPlace()
  const pattern = /^ {2}first owner +(http\S+\/dashboard\/setup\?token=(\w+))$/m
  await once(async shop => {
    const token = pattern.exec(shop.greeting)![2]!
    const owner = { token, email: 'olga@shop.example', password: 'correct horse battery staple' }
    const answer = await ask('POST', `${shop.base}/user/first`, {}, owner)
    assert.equal(answer.status, 200)
    const { user } = answer.body as { user: { merchant_id: string; role: string; operator: boolean } }
    assert.deepEqual([user.merchant_id, user.role, user.operator], [shop.merchant_id, 'owner', true])
    assert.equal((await ask('POST', `${shop.base}/user/first`, {}, owner)).status, 401)
  })
  await once(async shop => assert.doesNotMatch(shop.greeting, pattern))
})
