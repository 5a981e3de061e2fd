import { deepEqual, equal, match, ok, throws } from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import http from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { addAccount } from '../../../test/merchant.ts'
import { openReceiver } from '../../../test/receiver.ts'
import { ADMIN_KEY, openShop } from '../../../test/shop.ts'
import { eventTypes } from '../../node/src/made/tables.ts'
import { openTerminal, program } from './run.ts'

async function open() {
  const shop = await openShop()
  const terminal = await openTerminal({
    SWITCHYARD: shop.url,
    SWITCHYARD_KEY: shop.api_key,
    SWITCHYARD_MERCHANT: shop.merchant_id,
    ADMIN_KEY,
  })
  const json = async (...args: string[]) => {
    const { code, out, err } = await terminal.run(...args, '--json')
    equal(code, 0, err)
    return JSON.parse(out)
  }
  return { shop, terminal, json }
}

test('payments are listed, shown, captured, refunded and cancelled', async () => {
  const { shop, terminal, json } = await open()
  const hold = await shop.hold({ amount: 5000 })
  equal((await json('payments', 'list'))[0].payment_id, hold.payment_id)
  const captured = await terminal.run('payments', 'capture', hold.payment_id, '--amount', '4000')
  equal(captured.code, 0, captured.err)
  match(captured.out, /received +40\.00 USD/)
  equal((await json('payments', 'refund', hold.payment_id, '--amount', '1000')).amount, 1000)
  for (let i = 0; i < 2; i++) await json('payments', 'refund', hold.payment_id, '--amount', '500', '--idempotency-key', 'not-answered')
  const [charge] = await shop.processor.charges()
  deepEqual([charge!.captured, charge!.refunded], [4000, 1500])
  const other = await shop.hold()
  equal((await json('payments', 'cancel', other.payment_id)).status, 'cancelled')
  equal((await json('payments', 'show', other.payment_id)).status, 'cancelled')
  equal((await json('events', 'list', other.payment_id)).at(-1).event_type, 'payment_cancelled')
})

test('events of a time range are replayed to a webhook endpoint, or only counted with --dry-run', async () => {
  const [receiver, { shop, terminal, json }] = [await openReceiver(), await open()]
  const { endpoint_id } = (await shop.post('/webhook_endpoints', { url: receiver.url })).body
  await shop.pay()
  await shop.wait('1 second')
  deepEqual(await json('events', 'replay', endpoint_id, '--since', '1h', '--dry-run'), { endpoint_id, queued: 1 })
  const until = new Date(Date.now() - 3_000_000).toISOString()
  equal((await json('events', 'replay', endpoint_id, '--since', '1h', '--until', until)).queued, 0)
  equal((await json('events', 'replay', endpoint_id, '--since', '1h', '--only-failed')).queued, 0)
  const { code, out } = await terminal.run('events', 'replay', endpoint_id, '--since', '1h')
  deepEqual([code, /queued +1/.test(out)], [0, true])
  await shop.wait('1 second')
  deepEqual(receiver.types(), ['payment_succeeded', 'payment_succeeded'])
  equal((await terminal.run('events', 'replay', endpoint_id, '--since', 'yesterday')).code, 2)
  equal((await terminal.run('events', 'replay', endpoint_id)).code, 2)
  equal((await terminal.run('events', 'replay', 'we_nowhere', '--since', '1h')).code, 1)
})

test('a refused request is reported on stderr, with an exit code for the kind of error', async () => {
  const { terminal } = await open()
  const lost = await terminal.run('payments', 'show', 'pay_unknown')
  equal(lost.code, 1)
  match(lost.err, /^switchyard: .+\n {2}.+\n$/)
  equal(lost.out, '')
  equal((await terminal.run('payments', 'list', '--key', 'snd_wrong')).code, 4)
  equal((await terminal.run('payments', 'nonsense')).code, 2)
  equal((await terminal.run('payments', 'capture', 'pay_1', '--amount', '-5')).code, 2)
  equal((await terminal.run('payments', 'list', '--url', 'ftp://x')).code, 2)
  equal((await terminal.run('payments', 'show', 'pay_unknown', '--json')).err.includes('"status":404'), true)
  const { code, err } = await terminal.run('payments', 'list', '--profile', 'none')
  deepEqual([code, err], [2, 'switchyard: there is no profile none; see: switchyard profiles list\n'])
})

test('a refund without a whole response reports the idempotency key with which it can be sent again safely', async () => {
  // The header keeps the SDK from trying again: only its last answer matters here.
  const cut = http.createServer((_request, response) => response.writeHead(200, { 'retry-after': '3600' }).end('{"refund_id":'))
  await new Promise<void>(resolve => cut.listen(0, '127.0.0.1', resolve))
  after(() => cut.close())
  const terminal = await openTerminal({ SWITCHYARD: `http://127.0.0.1:${(cut.address() as AddressInfo).port}`, KEY: 'snd_1' })
  const { code, err } = await terminal.run('payments', 'refund', 'pay_1', '--amount', '500')
  equal(code, 3)
  match(err, /not known whether the request was done\n {2}Send it again with the same key, and it is done once: [0-9a-f-]{36}\n$/)
})

test('each supported event can be triggered at the sandbox, and other event types are refused by name', async () => {
  const { shop, terminal, json } = await open()
  const can: string[] = await json('trigger', '--list')
  const atThisShop = can.filter(name => !name.startsWith('payout_'))
  for (const name of atThisShop) {
    const made = await json('trigger', name)
    const { data } = (await shop.call('GET', `/events?event_types=${name}`)).body
    ok(data.length > 0, `${name}: ${JSON.stringify(made).slice(0, 600)}`)
  }
  // It imports the SDK as it is published, which `open` has built.
  const { triggerOf } = await import('../src/trigger.ts')
  const others = Object.keys(eventTypes).filter(name => !can.includes(name))
  for (const name of others) throws(() => triggerOf(name), new RegExp(`${name} cannot be made on demand`))
  const { code, err } = await terminal.run('trigger', others[0]!)
  equal(code, 2)
  ok(err.includes(`${others[0]} cannot be made on demand`), err)
  equal((await terminal.run('trigger', 'payment_suceeded')).code, 2)
})

test('a trigger whose event did not happen ends with 1 and says why', async () => {
  const { shop, terminal } = await open()
  for (const name of ['payment_succeeded', 'payment_authorized']) {
    await shop.processor.fault('authorize', 'decline')
    const { code, err, out } = await terminal.run('trigger', name)
    deepEqual([code, out], [1, ''])
    match(err, new RegExp(`^switchyard: ${name} did not happen: payment pay_\\w+ is\\s+failed: .+\\(card_declined\\)`))
  }
  await shop.processor.fault('refund', 'decline')
  const refused = await terminal.run('trigger', 'refund_succeeded')
  equal(refused.code, 1)
  match(refused.err, /refund_succeeded did not happen: refund ref_\w+ is\s+failed/)
  equal((await terminal.run('trigger', 'payment_succeeded')).code, 0)
})

test('payout events are triggered when the merchant has a payout account', async () => {
  const { shop, json } = await open()
  await addAccount(shop, 'phonypay', { connector_type: 'payout_processor', connector_label: 'payouts' })
  for (const name of (await json('trigger', '--list')).filter((one: string) => one.startsWith('payout_'))) {
    const made = await json('trigger', name)
    const { data } = (await shop.call('GET', `/events?event_types=${name}`)).body
    ok(data.length > 0, `${name}: ${JSON.stringify(made).slice(0, 600)}`)
  }
})

test('the commands of the README run', async () => {
  const { terminal, shop } = await open()
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const examples = [...readme.matchAll(/^```sh example\n(.*?)^```$/gms)].map(([, code]) => code!)
  equal(examples.length, 6)
  const script = `set -e\ncd "$HOME"\nswitchyard() { "${process.execPath}" "${program}" "$@"; }\n${examples.join('\n')}`
  const child = spawn('bash', ['-c', script], { env: { ...terminal.env, KEY: shop.api_key } })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', chunk => {
      said += chunk
    })
  equal(await new Promise(resolve => child.on('close', resolve)), 0, said)
})

test('keys are created, rolled and revoked', async () => {
  const { json } = await open()
  const made = await json('keys', 'create', 'reports', '--scope', 'payments:read')
  const rolled = await json('keys', 'roll', made.key_id)
  deepEqual([rolled.name, rolled.scopes], ['reports', ['payments:read']])
  ok(rolled.api_key !== made.api_key)
  equal((await json('keys', 'revoke', made.key_id)).revoked, true)
  const names = (await json('keys', 'list')).map((one: { key_id: string }) => one.key_id)
  ok(names.includes(rolled.key_id) && !names.includes(made.key_id))
})

test('connector accounts are added and verified, and routing rules are simulated', async () => {
  const { shop, json } = await open()
  const added = await json(
    'connectors',
    'add',
    'phonypay',
    '--label',
    'second',
    '--credentials',
    JSON.stringify({ auth_type: 'HeaderKey', api_key: `sandbox_${shop.merchant_id}_2` }),
  )
  equal((await json('connectors', 'verify', added.merchant_connector_id)).verified, true)
  equal((await json('connectors', 'list')).length, 2)
  await shop.pay()
  const since = new Date(Date.now() - 3_600_000).toISOString()
  const rules = { type: 'priority', data: [{ connector: 'phonypay', merchant_connector_id: added.merchant_connector_id }] }
  equal((await json('routing', 'simulate', '--since', since, '--rules', JSON.stringify(rules))).payments, 1)
})

test('doctor accepts a working shop, and reports a wrong key or an unreachable service', async () => {
  const { terminal } = await open()
  const fine = await terminal.run('doctor')
  ok(!fine.out.includes('bad  database:') && /ok {3}key: it is valid/.test(fine.out), fine.out)
  const wrong = await terminal.run('doctor', '--key', 'snd_wrong')
  equal(wrong.code, 5)
  match(wrong.out, /bad {2}key: .+\n {5}→ /)
  const away = await terminal.run('doctor', '--url', 'http://127.0.0.1:9')
  equal(away.code, 5)
  match(away.out, /does not answer/)
})

test('doctor warns the operator of unsafe database settings, and shows the lag of due jobs', async () => {
  const { shop, terminal } = await open()
  const merchant = await openTerminal({ SWITCHYARD: shop.url, KEY: shop.api_key })
  match((await merchant.run('doctor')).out, /\? {4}database settings, lag: .+ADMIN_KEY/)
  // The service has done what is due.
  await shop.wait('1 second')
  const { out, code } = await terminal.run('doctor', '--json')
  const found = JSON.parse(out) as { check: string; is: string; says: string; remedy?: string }[]
  const by = (name: string) => found.find(({ check }) => check === name)!
  match(by('database version').says, /^\d+/)
  equal(by('database version').is, 'well')
  // The databases of tests are quick, and not safe.
  for (const setting of ['fsync', 'full_page_writes', 'autovacuum']) {
    equal(by(`database ${setting}`).is, 'unwell', out)
    match(by(`database ${setting}`).remedy!, new RegExp(`${setting} = on`))
  }
  for (const name of ['database connections', 'database transaction_ids', 'database synchronous_commit', 'database standby_lag', 'lag'])
    equal(by(name).is, 'well', out)
  equal(code, 5)
  const wrong = await openTerminal({ SWITCHYARD: shop.url, KEY: shop.api_key, ADMIN_KEY: 'wrong' })
  match((await wrong.run('doctor')).out, /bad {2}admin key/)
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

test('doctor reports a certificate that is not trusted or expires soon', {
  skip: !hasOpenssl && 'openssl makes its certificates',
}, async () => {
  const shop = await openShop()
  const { folder } = await openTerminal()
  const made = (name: string, days: number) => {
    const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)]
    const ask = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days ${days} -subj /CN=localhost -addext subjectAltName=DNS:localhost`
    equal(spawnSync('openssl', [...ask.split(' '), '-keyout', key, '-out', cert]).status, 0)
    return { key, cert }
  }
  const behind = async ({ key, cert }: { key: string; cert: string }) => {
    const to = new URL(shop.url)
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
      const { method, url, headers } = request
      const asked = http.request({ host: to.hostname, port: to.port, method, path: url, headers }, answer => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      })
      request.pipe(asked)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    after(() => server.close())
    return `https://localhost:${(server.address() as AddressInfo).port}`
  }
  const [soon, later] = [made('soon', 3), made('later', 300)]
  const look = async (files: { key: string; cert: string }, trusts: string) => {
    const terminal = await openTerminal({ SWITCHYARD: await behind(files), KEY: shop.api_key, NODE_EXTRA_CA_CERTS: trusts })
    return (await terminal.run('doctor')).out
  }
  match(await look(soon, later.cert), /bad {2}certificate: .+SELF_SIGNED[^\n]+\n {5}→ renew the certificate/)
  match(await look(soon, soon.cert), /bad {2}certificate: it expires on [^\n]+\n {5}→ renew it/)
  match(await look(later, later.cert), /ok {3}certificate: it expires on/)
})

test('profiles are stored in a file that only its owner can read', async () => {
  const shop = await openShop()
  const terminal = await openTerminal()
  equal((await terminal.run('payments', 'list')).code, 2)
  equal((await terminal.run('profiles', 'add', 'test', '--url', shop.url, '--key', shop.api_key)).code, 0)
  equal((await terminal.run('payments', 'list')).code, 0)
  const file = join(terminal.folder, 'config/switchyard/profiles.json')
  equal(statSync(file).mode & 0o777, 0o600)
  ok(!(await terminal.run('profiles', 'list')).out.includes(shop.api_key))
  deepEqual(JSON.parse((await terminal.run('profiles', 'use', 'test', '--json')).out), { profile: 'test', url: shop.url, current: true })
  equal((await terminal.run('profiles', 'remove', 'test')).code, 0)
})

test('the request log is shown', async () => {
  const { shop, json } = await open()
  await shop.tryToPay({ amount: -1 })
  await shop.wait('5 seconds')
  ok(Array.isArray(await json('logs', 'tail', '--no-follow', '--failed')))
})

test('shell completion scripts are generated for bash, fish and zsh', async () => {
  const { terminal } = await open()
  const { out } = await terminal.run('completion', 'bash')
  equal(spawnSync('bash', ['-n'], { input: out }).status, 0)
  const words = spawnSync('bash', [], {
    input: `${out}\nCOMP_WORDS=(switchyard payments ca); COMP_CWORD=2; _switchyard; echo "\${COMPREPLY[@]}"`,
    encoding: 'utf8',
  })
  equal(words.stdout.trim(), 'capture cancel')
  match((await terminal.run('completion', 'fish')).out, /complete -c switchyard .* -a listen/)
  match((await terminal.run('completion', 'zsh')).out, /^#compdef switchyard/)
  equal((await terminal.run('completion', 'tcsh')).code, 2)
})
