import { request } from 'undici'
import { later } from '../../src/base/time.ts'
import { readConfig } from '../../src/config.ts'
import type { Change, Context, Request, Sender } from '../../src/context.ts'
import { start } from '../../src/service.ts'
import type { Ledger } from '../processor.ts'

/**
 * The service as a process that dies (SIGKILL) at a crossing of its edges:
 *
 *   commit.N.before  commit.N.after    the N-th commit has not begun / is durable, and its answer was not received
 *   send.N.during                      the processor has the N-th request (by its ledger or its answer), unanswered
 *   send.N.after                       the answer was received, and nothing was done with it
 *
 * The service's code does not know of it: the wrapper stands around its edges. DIE_AT names the crossing, CLOCK_AHEAD
 * moves the clock.
 */
const [edge, number, when] = (process.env.DIE_AT ?? 'never').split('.')
const ahead = Number(process.env.CLOCK_AHEAD ?? 0)

// SIGKILL instead of `process.exit`: the process must not clean up.
const die = (): Promise<never> => {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}

function mortal(context: Context): Context {
  let commits = 0
  let sends = 0
  /**
   * The names by which processors know the operations that this process began: our request ids, and the processors'
   * ids.
   */
  const names = new Set<string>()
  const learn = ({ rows }: Change) => {
    for (const { table, after } of rows)
      if (table === 'processor_operations')
        for (const name of [after?.request_id, after?.reference]) if (typeof name === 'string') names.add(name)
  }
  /**
   * Gives the names that a request contains if it may move money. A request that turns a card into a token, or fetches
   * a token, moves none.
   */
  const namesIn = ({ method, url, headers, body = '' }: Request, { purpose }: Sender): string[] => {
    if (purpose !== 'move' || method === 'GET') return []
    const answered = /\/disputes\/([\w-]+)\/(?:accept|accept-claim|evidence|provide-evidence)$/.exec(url)?.[1]
    if (answered !== undefined) return [answerTo(answered)]
    const texts = [url, body, ...Object.values(headers)]
    const key = headers['idempotency-key'] ?? headers['paypal-request-id']
    return [...names, ...(key === undefined ? [] : [key])].filter(name => texts.some(text => text.includes(name)))
  }
  const now = (e: string, n: number, w: string) => e === edge && n === Number(number) && w === when
  return {
    ...context,
    now: () => later(context.now(), ahead),
    async commit(change) {
      const n = ++commits
      learn(change)
      if (now('commit', n, 'before')) return die()
      const written = await context.commit(change)
      if (now('commit', n, 'after')) return die()
      return written
    },
    async send(asked, sender) {
      const named = namesIn(asked, sender)
      const n = named.length > 0 ? ++sends : 0
      if (now('send', n, 'during')) {
        const known = await ledgerOf(asked)
        const fresh = named.filter(name => !known?.has(name))
        await Promise.race([context.send(asked, sender), processorHas(asked, fresh)])
        return die()
      }
      const reply = await context.send(asked, sender)
      if (now('send', n, 'after')) return die()
      return reply
    },
  }
}

/** Gives the key of a request, from any header: the sandbox's control calls take it as a Bearer token. */
function keyIn({ headers }: Request): string {
  const [scheme, value = ''] = (headers.authorization ?? `Bearer ${headers['x-api-key']}`).split(' ')
  return scheme === 'Basic' ? Buffer.from(value, 'base64').toString().split(':')[0]! : value
}

/** Gives the references in the processor's own ledger; null for a key that opens no ledger, but only one checkout. */
async function ledgerOf(asked: Request): Promise<Set<string> | null> {
  const headers = { authorization: `Bearer ${keyIn(asked)}` }
  const { statusCode, body } = await request(`${process.env.SANDBOX_URL}/control/ledger`, { headers })
  if (statusCode !== 200) return body.dump().then(() => null)
  const { operations, disputes } = (await body.json()) as Ledger
  const answered = disputes.filter(({ status }) => status !== 'needs_response').map(({ id }) => answerTo(id))
  return new Set([...operations.map(({ reference }) => reference), ...answered])
}

/** Gives the reference of an answer to a dispute, which has none of its own. */
const answerTo = (id: string): string => `answer to ${id}`

/**
 * Waits until the processor's ledger holds one of these references. Where there is no ledger, or the ledger holds no
 * such reference, the caller waits for the processor's answer.
 */
async function processorHas(asked: Request, names: readonly string[]): Promise<void> {
  for (;;) {
    const known = await ledgerOf(asked)
    if (known === null) return new Promise(() => {})
    if (names.some(name => known.has(name))) return
  }
}

const running = await start(readConfig(process.env), { wrap: mortal, scheduler: 'by hand' })
process.stdout.write(`ready ${running.url}\n`)
// The process ends with the test that started it.
process.stdin.on('end', () => process.exit(0)).on('data', () => running.tick().then(() => process.stdout.write('ticked\n')))
