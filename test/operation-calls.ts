import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoint } from '../src/http/endpoint.ts'

/**
 * Records which operations of the interface tests called, and with which result. Every test process writes its record;
 * after the whole suite, the table of endpoints is checked against the records (`test/run.ts`): every operation must
 * have accepted a call, refused a call because of the request, and refused a call because of its credentials.
 */

type Verdict = 'happy' | 'refused' | 'forbidden'

const tried = new Set<string>()
const folder = process.env.TEST_CALLS
if (folder !== undefined)
  process.on('exit', () => appendFileSync(join(folder, String(process.pid)), [...tried].map(line => `${line}\n`).join('')))

const verdictOf = (status: number): Verdict => (status < 400 ? 'happy' : status === 401 || status === 403 ? 'forbidden' : 'refused')

/** Notes the result of a call. */
export function noteCall(method: string, url: string, status: number): void {
  if (folder !== undefined && status < 500) tried.add(`${verdictOf(status)} ${method} ${new URL(url).pathname}`)
}

/**
 * Makes a function that finds the operation of an address. As in the router, a path that is written out goes before a
 * path with parameters in braces.
 */
export function operationFinder<Operation extends { method: string; path: string }>(
  operations: readonly Operation[],
): (method: string, path: string) => Operation | undefined {
  const ways = operations
    .map(operation => ({
      operation,
      path: new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`),
      parts: operation.path.split('{').length,
    }))
    .sort((a, b) => a.parts - b.parts)
  return (method, path) => ways.find(way => way.operation.method === method && way.path.test(path))?.operation
}

/** Describes the results (accepted, refused, forbidden) that no test of a suite has produced, by operation. */
export function untried(folder: string, endpoints: readonly Endpoint[], refusesMore: (endpoint: Endpoint) => boolean): string[] {
  const lines = new Set(readdirSync(folder).flatMap(file => readFileSync(join(folder, file), 'utf8').split('\n')))
  const done = new Set<string>()
  const find = operationFinder(endpoints)
  for (const line of lines) {
    const [verdict, method, path] = line.split(' ')
    const endpoint = find(method!, path!)
    if (endpoint) done.add(`${verdict} ${endpoint.name}`)
  }
  return endpoints.flatMap(endpoint => {
    const wanted: Verdict[] = [
      'happy',
      ...(refusesMore(endpoint) ? ['refused' as const] : []),
      ...(endpoint.auth.credential === 'nothing' ? [] : ['forbidden' as const]),
    ]
    return wanted.filter(verdict => !done.has(`${verdict} ${endpoint.name}`)).map(verdict => `${endpoint.name} has no ${verdict} test`)
  })
}
