import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import type { Context } from '../src/context.ts'

/** A caller that is kept waiting for longer than this hears nothing: the service has no more patience than that. */
const PATIENCE_MS = 15_000

type Kept = { now: string; waiting: { id: string; path: string; idempotency_key: string | null; until: string }[] }

/**
 * Silence without waiting for it. The service's patience with a processor is so long here that a slow machine never
 * uses it up; where the sandbox itself says that it keeps a call waiting for longer, it is told to hang up at once,
 * and all else that it has to say (a webhook) is said by then. (That patience ends by the clock, too, is a matter of
 * the tests of `openSend`.)
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

async function hangUp(sandboxUrl: string, { url, headers }: Parameters<Context['send']>[0], answered: () => boolean): Promise<void> {
  // In every header that the key came in: control takes it as a Bearer's.
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
      // The sandbox is gone, or being restarted; then its connections end by themselves.
    }
  }
}
