import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import type { Context } from '../src/context.ts'
import { STREAM_LOOK_MS } from '../src/events/stream.ts'

/**
 * The longest time in milliseconds that the service waits for a processor's answer; after it, the connection is given
 * up.
 */
const PATIENCE_MS = 15_000

type Kept = { now: string; waiting: { id: string; path: string; idempotency_key: string | null; until: string }[] }

/**
 * Wraps a context so that tests see a silent processor without waiting. In tests the service's own timeout is so long
 * that a slow machine never reaches it. If the sandbox reports that it keeps a call waiting for longer than the usual
 * timeout, this wrapper makes the sandbox hang up at once, after it has sent everything else that is due (a webhook).
 * (The tests of `openSend` verify that the timeout ends by the clock, too.)
 */
export const hangUpWhereItIsSilent =
  (sandboxUrl: string) =>
  (context: Context): Context => ({
    ...context,
    send(...asked) {
      if (!asked[0].url.startsWith(sandboxUrl)) return context.send(...asked)
      let answered = false
      const reply = context.send(...asked).finally(() => {
        answered = true
      })
      void hangUp(sandboxUrl, asked[0], () => answered)
      return reply
    },
  })

/** The pause between two looks of an event stream in tests: short, but each look of a page in a browser costs. */
const LOOK_MS = 50

/** Wraps a context so that event streams look for events often. All other waits are as they were. */
export const looksOften = (context: Context): Context => ({
  ...context,
  wait: (ms, signal) => context.wait(ms === STREAM_LOOK_MS ? LOOK_MS : ms, signal),
})

async function hangUp(sandboxUrl: string, { url, headers }: Parameters<Context['send']>[0], answered: () => boolean): Promise<void> {
  // The sandbox's control calls accept the account's key as a Bearer token, in any header of the request that
  // contained the key.
  const authorization = headers.authorization ?? `Bearer ${headers['x-api-key']}`
  const control = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: string) =>
    (await request(`${sandboxUrl}/control/${path}`, { method, headers: { authorization }, ...(body && { body }) })).body
  while (!answered()) {
    await pause(20)
    if (answered()) return
    try {
      const { now, waiting } = (await (await control('GET', 'waiting')).json()) as Kept
      const path = url.slice(sandboxUrl.length)
      const key = headers['idempotency-key'] ?? null
      const mine = waiting.find(one => one.path === path && one.idempotency_key === key)
      if (!mine || Date.parse(mine.until) - Date.parse(now) <= PATIENCE_MS) continue
      await (await control('POST', 'advance', '{"seconds":0}')).dump()
      await (await control('DELETE', `waiting/${mine.id}`)).dump()
    } catch {
      // The sandbox is gone or being restarted; its connections then end by themselves.
    }
  }
}
