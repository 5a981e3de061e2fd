import { request } from 'undici'
import { later } from '../../src/base/time.ts'
import { readConfig } from '../../src/config.ts'
import { start } from '../../src/main.ts'
import type { World } from '../../src/world.ts'
import type { Ledger } from '../processor.ts'

/**
 * The service as a process that dies (SIGKILL) at a crossing of its edges:
 *
 *   commit.N.before  commit.N.after    the N-th commit has not begun / is durable, and nobody knows
 *   send.N.during                      the processor has the N-th request (its ledger says so), and has not been heard
 *   send.N.after                       its answer was read, and nothing was done with it
 *
 * Stories know nothing of it: the wrapper stands around the world. DIE_AT names the crossing, CLOCK_AHEAD moves the clock.
 */
const [edge, number, when] = (process.env.DIE_AT ?? 'never').split('.')
const ahead = Number(process.env.CLOCK_AHEAD ?? 0)

// Not process.exit: nothing may be tidied up.
const die = (): Promise<never> => {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}

function mortal(world: World): World {
  let commits = 0
  let sends = 0
  const now = (e: string, n: number, w: string) => e === edge && n === Number(number) && w === when
  return {
    ...world,
    now: () => later(world.now(), ahead),
    async commit(change) {
      const n = ++commits
      if (now('commit', n, 'before')) return die()
      const written = await world.commit(change)
      if (now('commit', n, 'after')) return die()
      return written
    },
    async send(asked, sender) {
      // What moves money carries our request id as its key; a card that becomes a token moves none. An answer to a dispute is known by the dispute itself.
      const answered = asked.method === 'POST' ? /\/disputes\/(\w+)\/(?:accept|evidence)$/.exec(asked.url)?.[1] : undefined
      const n = asked.headers['idempotency-key'] === undefined && answered === undefined ? 0 : ++sends
      if (now('send', n, 'during')) {
        void world.send(asked, sender)
        // Whatever header the key came in: the sandbox's own language takes it as a Bearer's.
        const authorization = asked.headers.authorization ?? `Bearer ${asked.headers['x-api-key']}`
        await processorHas(authorization, ({ operations, disputes }) =>
          answered === undefined
            ? operations.some(({ reference }) => reference === asked.headers['idempotency-key'])
            : disputes.some(({ id, status }) => id === answered && status !== 'needs_response'),
        )
        return die()
      }
      const reply = await world.send(asked, sender)
      if (now('send', n, 'after')) return die()
      return reply
    },
  }
}

/** Waits until the processor's own ledger holds it. */
async function processorHas(authorization: string, isThere: (ledger: Ledger) => boolean): Promise<void> {
  for (;;) {
    const { body } = await request(`${process.env.SANDBOX_URL}/control/ledger`, { headers: { authorization } })
    if (isThere((await body.json()) as Ledger)) return
  }
}

const running = await start(readConfig(process.env), { wrap: mortal, clockwork: 'by hand' })
process.stdout.write(`ready ${running.url}\n`)
// The test that started us may die too.
process.stdin.on('end', () => process.exit(0)).on('data', () => running.tick().then(() => process.stdout.write('ticked\n')))
