import { deepEqual, equal, match, ok, throws } from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { eventually } from '../../../test/eventually.ts'
import { ADMIN_KEY, openShop } from '../../../test/shop.ts'
import { examples } from '../src/examples.ts'
import { openTerminal } from './run.ts'

const ESCAPE = '\u001b'

async function open() {
  const shop = await openShop()
  const terminal = await openTerminal({ SWITCHYARD: shop.url, KEY: shop.api_key, ADMIN_KEY, SWITCHYARD_MERCHANT: shop.merchant_id })
  /** What a command shows at a terminal. */
  const shown = async (args: readonly string[], env: Record<string, string> = {}) => {
    const seat = terminal.sit(args, env)
    await seat.ended
    return seat.shown()
  }
  return { shop, terminal, shown }
}

/** Lines as a person sees them; none is longer than the terminal is wide, but for a word that is. */
function fits(text: string): string[] {
  const lines = stripVTControlCharacters(text).split(/\r?\n/)
  for (const line of lines) ok(line.length <= 80 || !line.trim().includes(' '), `${line.length}: ${line}\n${text}`)
  return lines
}

test('on a terminal of 80 columns, tables are truncated and sentences are wrapped', async () => {
  const { shop, terminal, shown } = await open()
  const { payment_id } = await shop.pay({
    description: 'A description that is much longer than what is left of a line of eighty columns on a terminal',
  })
  await shop.tryToPay({ amount: -1 })
  await shop.wait('5 seconds')
  const list = fits(await shown(['payments', 'list']))
  ok(list.some(line => line.includes('…')))
  for (const args of [['keys', 'list'], ['events', 'list'], ['logs', 'tail', '--no-follow'], ['doctor'], ['trigger', '--list']])
    fits(await shown(args))
  const doctor = fits(await shown(['doctor']))
  ok(
    doctor.some(line => /^ {5}\S/.test(line) && !line.includes('→')),
    'a long finding goes on further in',
  )
  const refused = fits(await shown(['payments', 'show', 'pay_unknown']))
  match(refused.join('\n'), /^switchyard: /)
  const piped = (await terminal.run('payments', 'list')).out
  ok(piped.includes(payment_id) && !piped.includes('…'), 'a pipe gets all of it')
})

test('colours are used on terminals only, not in pipes, with NO_COLOR or with --json', async () => {
  const { shop, terminal, shown } = await open()
  await shop.pay()
  ok((await shown(['payments', 'list'])).includes(`${ESCAPE}[`))
  ok((await shown(['doctor'])).includes(`${ESCAPE}[`))
  for (const args of [['payments', 'list'], ['doctor'], ['payments', 'show', 'pay_none'], ['logs', 'tail', '--no-follow']]) {
    const { out, err } = await terminal.run(...args)
    ok(!`${out}${err}`.includes(ESCAPE), args.join(' '))
  }
  ok(!(await shown(['payments', 'list'], { NO_COLOR: '1' })).includes(ESCAPE))
  ok(!(await shown(['payments', 'list'], { TERM: 'dumb' })).includes(ESCAPE))
  ok(!(await shown(['payments', 'list', '--json'])).includes(ESCAPE))
})

test('Ctrl-C stops a listener at once, and leaves no process, partial file or changed terminal state', async () => {
  const { shop, terminal } = await open()
  let asked = 0
  const receiver = createServer((request, response) => {
    asked++
    request.resume().on('end', () => response.end())
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  after(() => receiver.close())
  const seat = terminal.sit(['listen', '--forward-to', `127.0.0.1:${(receiver.address() as AddressInfo).port}`])
  await eventually(async () => seat.shown().includes('Connected'), 'connected')
  await shop.pay()
  await eventually(async () => asked > 0 && seat.shown().includes('payment_succeeded'), 'the event came')
  const pid = seat.pid()
  ok(process.kill(pid, 0))
  seat.press('\u0003')
  equal(await seat.ended, 130)
  throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  fits(seat.shown())
  const codes = seat.shown().match(new RegExp(`${ESCAPE}\\[[0-9;?]*[A-Za-z]`, 'g')) ?? []
  ok(codes.length > 0 && codes.every(code => code.endsWith('m')), 'colours, and nothing that changes the terminal')
  ok([`${ESCAPE}[39m`, `${ESCAPE}[22m`].includes(codes.at(-1)!), 'the last colour is taken back')
  ok(seat.shown().endsWith('\n') || seat.shown().endsWith('^C'), JSON.stringify(seat.shown().slice(-40)))
  const kept = readdirSync(join(terminal.folder, 'config/switchyard'), { recursive: true }).map(String)
  deepEqual(
    kept.map(file => file.replace(/[0-9a-f]{24}/, '*')).toSorted(),
    ['listen', 'listen/*.jsonl', 'listen/*.secret'],
    'where it stopped, and its secret',
  )
})

test('the help of every command shows an example, in lines of 80 columns', async () => {
  const { terminal } = await open()
  const seen: string[] = []
  async function look(path: readonly string[]): Promise<void> {
    const { out, code } = await terminal.run(...path, '--help')
    equal(code, 0)
    fits(out)
    match(out, /\nExamples?:\n {2}switchyard /, path.join(' '))
    if (path.length > 0) seen.push(path.join(' '))
    const [, below = ''] = out.split('\nCommands:\n')
    const names = [...below.split('\n\n')[0]!.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name!).filter(name => name !== 'help')
    for (const name of names) await look([...path, name])
  }
  await look([])
  deepEqual(seen.toSorted(), Object.keys(examples).toSorted())
})

test('--json prints JSON for every result: a response, a refused request, an invalid option or an unknown command', async () => {
  const { terminal } = await open()
  for (const args of [
    ['payments', 'list'],
    ['profiles', 'list'],
    ['completion', 'bash'],
    ['doctor'],
    ['open', 'payment', 'pay_1'],
    ['trigger', '--list'],
  ])
    JSON.parse((await terminal.run(...args, '--json')).out)
  for (const args of [
    ['payments', 'show', 'pay_none'],
    ['payments', 'list', '--nonsense'],
    ['nonsense'],
    ['payments', 'capture'],
    ['open', 'x', 'y'],
  ]) {
    const { err, out, code } = await terminal.run(...args, '--json')
    ok(code === 1 || code === 2, `${code}`)
    equal(out, '')
    ok(JSON.parse(err).error.message.length > 5, err)
  }
})
