import { createHmac } from 'node:crypto'
import { type StreamedEvent, webhooks } from '@switchyard/node'
import { plain } from './output.ts'
import { pause } from './pause.ts'

/** The receiver of events: its address, and the secret and headers of requests to it. */
export type Target = { url: string; secret: string; hashKey?: string; headers: Record<string, string> }

/** The receiver's answer, or the reason why there is none. `began` is by `performance.now()`. */
export type Answer = { status: number | null; error: string | null; body: string; ms: number; began: number }

/** The number of bytes that are read of an answer, and the number of characters that are reported. */
const READ_BYTES = 16_384
const KEPT = 4096
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000
const RECEIVER_MS = 15_000

export const describeError = (error: unknown): string => {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause
  return plain(cause?.code ?? cause?.message ?? (error as Error).message)
}

/** Returns the beginning of an answer's body. The rest of a long body is not read. */
async function beginningOf(answer: Response): Promise<string> {
  const reader = answer.body?.getReader()
  const parts: Uint8Array[] = []
  for (let bytes = 0; reader !== undefined; ) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value)
    bytes += value.length
    if (bytes >= READ_BYTES) {
      await reader.cancel()
      break
    }
  }
  // The service refuses U+0000 and half of a surrogate pair.
  const text = Buffer.concat(parts).toString().slice(0, KEPT)
  return text.replace(/[\uD800-\uDBFF]$/, '').replaceAll('\0', '�')
}

/** Sends an event once. Rejects only if the listener is stopped meanwhile. */
export async function sendOnce(target: Target, one: StreamedEvent, ended: AbortSignal): Promise<Answer> {
  const began = performance.now()
  const answer = (rest: Pick<Answer, 'status' | 'error' | 'body'>): Answer => ({
    ...rest,
    began,
    ms: Math.round(performance.now() - began),
  })
  try {
    const headers: Record<string, string> = {
      ...target.headers,
      'content-type': 'application/json',
      'user-agent': 'Switchyard-Webhooks/1',
      ...(await webhooks.sign(one.text, target.secret, { id: one.id })),
      ...(target.hashKey !== undefined && {
        'x-webhook-signature-512': createHmac('sha512', target.hashKey).update(one.text).digest('hex'),
      }),
    }
    const signal = AbortSignal.any([ended, AbortSignal.timeout(RECEIVER_MS)])
    const response = await fetch(target.url, { method: 'POST', headers, body: one.text, redirect: 'manual', signal })
    return answer({ status: response.status, error: null, body: await beginningOf(response) })
  } catch (error) {
    ended.throwIfAborted()
    return answer({ status: null, error: describeError(error).slice(0, 255), body: '' })
  }
}

/**
 * Sends an event until the receiver answers. Calls `away` for each attempt without an answer. Rejects only if the
 * listener is stopped before.
 */
export async function sendUntilAnswered(
  target: Target,
  one: StreamedEvent,
  ended: AbortSignal,
  away: (answer: Answer, retry: number) => void,
): Promise<Answer> {
  for (let retry = 0; ; retry++) {
    const answer = await sendOnce(target, one, ended)
    if (answer.status !== null) return answer
    away(answer, retry)
    await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retry), ended)
    ended.throwIfAborted()
  }
}
