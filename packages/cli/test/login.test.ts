import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { join as comeIn, openOwner, PASSWORD } from '../../../test/people.ts'
import { type Body, http, openShop, type Shop } from '../../../test/shop.ts'
import { openTerminal } from './run.ts'

/**
 * Opens the address at which the command line reaches the service. The pauses between polls pass on the shop's clock
 * alone. The first poll of a login comes before anyone has decided; the next one waits until `decided` is called.
 */
async function openFront(shop: Shop) {
  let polls: (() => void)[] = []
  let polled = 0
  const answer = async (method: string, path: string, headers: Record<string, string>, body: Buffer) => {
    const isPoll = path === '/user/device/token'
    if (isPoll && polled++ > 0) await new Promise<void>(resolve => polls.push(resolve))
    const reply = await fetch(shop.url + path, { method, headers, ...(body.length > 0 && { body }) })
    const text = await reply.text()
    const begins = path === '/user/device'
    if (!isPoll && !begins) return { status: reply.status, text }
    if (begins) [polled, polls] = [0, []]
    const { interval, ...rest } = JSON.parse(text)
    shop.clock.ahead += (interval ?? 0) * 1000
    return { status: reply.status, text: JSON.stringify({ ...rest, interval: interval && 0 }) }
  }
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray()
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
    const { status, text } = await answer(request.method!, request.url!, headers as Record<string, string>, Buffer.concat(chunks))
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  const isPolled = () => eventually(async () => polls.length > 0, 'a second poll')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Waits until the second poll has come, which has no answer yet. */
    isPolled,
    /** Lets this poll through. */
    decided: () => polls.pop()!(),
  }
}

async function open(env: Record<string, string> = {}) {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const front = await openFront(shop)
  const terminal = await openTerminal(env)
  const file = join(terminal.folder, 'config/switchyard/profiles.json')
  /** Begins a login, and gives the code that it shows. */
  async function begin(...more: string[]) {
    const running = terminal.begin('login', '--url', front.url, '--json', ...more)
    await eventually(async () => running.said.out.includes('\n'), 'the code is shown')
    const { user_code } = JSON.parse(running.said.out.split('\n')[0]!)
    await front.isPolled()
    return { ...running, user_code: user_code as string }
  }
  /** Signs in, approved by this person. */
  async function login(by: Pick<typeof owner, 'post'>, ...more: string[]): Promise<Body> {
    const { user_code, ended } = await begin(...more)
    equal((await by.post('/user/device/approve', { user_code, password: PASSWORD })).status, 200)
    front.decided()
    const { code, out, err } = await ended
    equal(code, 0, err)
    return JSON.parse(out.trim().split('\n').at(-1)!)
  }
  return { shop, front, owner, terminal, begin, login, file, kept: () => JSON.parse(readFileSync(file, 'utf8')) as Body }
}

test('a login is approved in the dashboard, stored for its owner only, used by other commands, and revoked by logout', async () => {
  const { shop, front, owner, terminal, login, file, kept } = await open()
  const said = await login(owner)
  const name = new URL(front.url).host
  deepEqual([said.type, said.profile, said.merchant_id], ['signed_in', name, shop.merchant_id])
  equal(statSync(file).mode & 0o777, 0o600)
  const { key } = kept().profiles[name]
  ok(!JSON.stringify(said).includes(key), 'the key is shown nowhere')
  const list = (await owner.get(`/api_keys/${shop.merchant_id}/list`)).body as Body[]
  equal(list.find(one => one.key_id === said.key_id)?.name, `CLI on ${hostname()}`.slice(0, 57))
  equal((await terminal.run('payments', 'list')).code, 0)
  match((await terminal.run('doctor')).out, /ok {3}key: it is valid/)

  const again = await login(owner)
  deepEqual(Object.keys(kept().profiles), [name], 'a second login takes the place of the first')
  const works = (with_key: string) => http('GET', `${shop.url}/payments/list`, undefined, { 'api-key': with_key })
  equal((await works(key)).status, 401)
  const second = kept().profiles[name].key
  const out = await terminal.run('logout', '--json')
  deepEqual(JSON.parse(out.out), { type: 'signed_out', profile: name, url: front.url, key_id: again.key_id, revoked: true })
  equal((await works(second)).status, 401)
  deepEqual(kept(), { profiles: {} })
  equal((await terminal.run('payments', 'list')).code, 2)
  equal((await terminal.run('logout')).code, 2)
})

test('logins are stored side by side, and a profile that was added by hand is not overwritten', async () => {
  const { shop, front, owner, terminal, login, kept } = await open()
  const { host } = new URL(front.url)
  equal((await terminal.run('profiles', 'add', host, '--url', front.url, '--key', shop.api_key)).code, 0)
  equal((await login(owner)).profile, `${host}-2`)
  equal((await login(owner, '--profile', 'work')).profile, 'work')
  deepEqual(
    Object.values<Body>(kept().profiles).map(({ login }) => login !== undefined),
    [false, true, true],
  )
  equal(kept().current, 'work')
  const refused = await terminal.run('logout', '--profile', host)
  equal(refused.code, 2)
  match(refused.err, /was not made by switchyard login/)
  equal((await terminal.run('logout', '--profile', 'work')).code, 0)
  equal((await terminal.run('payments', 'list', '--profile', `${host}-2`)).code, 0)
})

test('a login that is denied, expired or interrupted stores nothing, and ends with an error', async () => {
  const { shop, front, owner, begin, file } = await open()
  const denied = await begin()
  equal((await owner.post('/user/device/deny', { user_code: denied.user_code })).status, 200)
  front.decided()
  const no = await denied.ended
  equal(no.code, 1)
  match(no.err, /the sign-in was denied/)
  const late = await begin()
  await shop.wait('10 minutes')
  front.decided()
  const expired = await late.ended
  equal(expired.code, 1)
  match(expired.err, /expired/)
  equal((await (await begin()).stop()).code, 130)
  equal(existsSync(file), false)
})

test('a user whose role may not create API keys cannot approve a login; a developer or owner can', async () => {
  const { shop, owner, terminal, begin, login } = await open()
  const operator = await comeIn(shop, owner, 'operator')
  const running = await begin()
  equal((await operator.post('/user/device/approve', { user_code: running.user_code, password: PASSWORD })).status, 403)
  await running.stop()
  await login(await comeIn(shop, owner, 'developer'))
  equal((await terminal.run('payments', 'list')).code, 0)
  const { payment_id } = await shop.pay()
  equal((await terminal.run('payments', 'refund', payment_id, '--amount', '100')).code, 0, 'developers refund in test mode')
  await login(owner)
})

test('login opens the browser with the code, except with --no-browser; an invalid or unreachable address is refused', async () => {
  const { front, owner, terminal } = await open()
  const bin = join(terminal.folder, 'bin')
  const opened = join(terminal.folder, 'opened')
  mkdirSync(bin)
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`)
  chmodSync(join(bin, 'xdg-open'), 0o755)
  const env = { PATH: `${bin}:${process.env.PATH}` }
  const shy = terminal.sit(['login', '--url', front.url, '--no-browser'], env)
  await eventually(async () => /Code {3}\S+/.test(shy.shown()), 'the code is shown')
  equal(existsSync(opened), false)
  shy.press('\u0003')
  equal(await shy.ended, 130)
  const seat = terminal.sit(['login', '--url', front.url], env)
  await eventually(async () => existsSync(opened) && readFileSync(opened, 'utf8') !== '', 'the browser is opened')
  const code = /\?code=(\S{9})$/.exec(readFileSync(opened, 'utf8'))![1]!
  await eventually(async () => seat.shown().includes(code), 'the code is shown, which comes by another pipe')
  await front.isPolled()
  equal((await owner.post('/user/device/approve', { user_code: code, password: PASSWORD })).status, 200)
  front.decided()
  equal(await seat.ended, 0, seat.shown())
  match(seat.shown(), /Signed in/)
  equal((await terminal.run('login', '--url', 'http://127.0.0.1:9')).code, 3)
  equal((await terminal.run('login', '--url', 'pay.example.com')).code, 2)
})
