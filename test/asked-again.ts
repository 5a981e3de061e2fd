import { takesKey } from '../src/http/endpoint.ts'
import { endpoints } from '../src/http/endpoints.ts'
import { http } from './call.ts'

type Asked = { name: string; url: string; body: unknown; headers: Record<string, string> }

/**
 * Records requests that were answered under an Idempotency-Key, and sends each once more with the same key after all
 * customers were deleted.
 */
export function openAskedAgain() {
  const asked: Asked[] = []
  let number = 0
  return {
    /** Gives the header with a new key for an operation that takes one, and none for any other. */
    keyFor(name: string): { 'idempotency-key'?: string } {
      const endpoint = endpoints.find(one => one.name === name)!
      return takesKey(endpoint) ? { 'idempotency-key': `day-${++number}` } : {}
    },

    /** Records a request that was not refused. */
    note(name: string, url: string, body: unknown, headers: Record<string, string>): void {
      if (headers['idempotency-key'] !== undefined) asked.push({ name, url, body, headers })
    },

    /** Lists the operations that take a key and were not answered under one. */
    missing: (): string[] =>
      endpoints.filter(endpoint => takesKey(endpoint) && !asked.some(({ name }) => name === endpoint.name)).map(({ name }) => name),

    /** Sends every request again; lists the operations whose stored answer contains one of these texts. */
    async containing(texts: readonly string[]): Promise<string[]> {
      const found: string[] = []
      for (const { name, url, body, headers } of asked) {
        const { text, headers: answered } = await http('POST', url, body, headers)
        if (answered['idempotent-replayed'] === 'true' && texts.some(one => text.includes(one))) found.push(name)
      }
      return [...new Set(found)].sort()
    },
  }
}
