import { operations, type Resources } from './made/operations.ts'
import { prepare, send } from './request.ts'
import { streamEvents } from './stream.ts'
import type { CallOptions, ClientOptions, Operation } from './types.ts'

/** Returns the number of parameters in a path. */
const countOf = (path: string): number => path.split('{').length - 1

type Call = { params: string[]; body?: unknown; query: Record<string, unknown>; options: CallOptions }

/** Reads the arguments of a method, according to its operation. Throws a TypeError for too many arguments. */
function readCall(name: string, operation: Operation, given: readonly unknown[]): Call {
  const count = countOf(operation.path)
  const params = given.slice(0, count) as string[]
  const rest = given.slice(count)
  const input = operation.takes === null ? undefined : rest.shift()
  const [options = {}, ...more] = rest
  if (more.length > 0) throw new TypeError(`${name} takes at most ${given.length - more.length} arguments`)
  const needsBody = operation.takes === 'body' && input === undefined
  return {
    params,
    ...(operation.takes === 'query' ? {} : needsBody ? { body: {} } : input !== undefined && { body: input }),
    query: operation.takes === 'query' ? ((input ?? {}) as Record<string, unknown>) : {},
    options: options as CallOptions,
  }
}

async function run(client: ClientOptions, operation: Operation, call: Call): Promise<unknown> {
  const whole = await send(client, operation, prepare(client, operation, call), call.options)
  if (operation.gives === 'bytes') return whole.bytes
  return operation.gives === 'text' ? whole.text() : JSON.parse(whole.text())
}

const itemsOf = (page: unknown): Record<string, unknown>[] =>
  (Array.isArray(page) ? page : ((page as { data?: unknown[] }).data ?? [])) as Record<string, unknown>[]

/** Returns the query of the page after an item, or from `offset` on. The history of an object is paged by versions. */
function nextPage({ pages }: Operation, query: Record<string, unknown>, item: Record<string, unknown>, offset: number) {
  const { offset: _offset, ...others } = query
  if (pages === 'version' && query.object_id !== undefined) return { ...others, after_version: item.version }
  return pages === 'version' || pages === 'offset' ? { ...query, offset } : { ...others, starting_after: item[pages!] }
}

/** Returns a list: when awaited, the list requests its first page; when iterated over, every page. */
function list(client: ClientOptions, operation: Operation, call: Call): Promise<unknown> & AsyncIterable<unknown> {
  let first: Promise<unknown> | undefined
  const page = () => (first ??= run(client, operation, call))
  async function* items() {
    let { query } = call
    for (let offset = Number(query.offset ?? 0); ; ) {
      const found = itemsOf(await run(client, operation, { ...call, query }))
      if (found.length === 0) return
      yield* found
      offset += found.length
      query = nextPage(operation, query, found.at(-1)!, offset)
    }
  }
  return {
    // biome-ignore lint/suspicious/noThenProperty: a list is awaited as well as iterated over
    then: (done, failed) => page().then(done, failed),
    catch: failed => page().catch(failed),
    finally: last => page().finally(last),
    [Symbol.toStringTag]: 'List',
    [Symbol.asyncIterator]: items,
  }
}

function methodOf(client: ClientOptions, name: string, operation: Operation) {
  if (operation.gives === 'stream') return (options = {}) => streamEvents(client, options)
  return (...given: unknown[]) => {
    const call = readCall(name, operation, given)
    return operation.pages === undefined ? run(client, operation, call) : list(client, operation, call)
  }
}

export type Switchyard = Resources

/**
 * Creates a client of a deployment:
 * `createClient({ baseUrl, apiKey }).payments.create({ amount: 1250, currency: 'USD' })`. Throws a TypeError if the
 * address of the service or the key is missing.
 */
export function createClient(options: ClientOptions): Switchyard {
  if (!URL.canParse(options.baseUrl)) throw new TypeError('baseUrl must be the address of the service, such as https://pay.example.com')
  if (typeof options.apiKey !== 'string' || options.apiKey === '') throw new TypeError('apiKey must be a secret key')
  const resources = Object.entries(operations).map(([resource, methods]) => [
    resource,
    Object.fromEntries(
      Object.entries(methods as Record<string, Operation>).map(([name, operation]) => [
        name,
        methodOf(options, `${resource}.${name}`, operation),
      ]),
    ),
  ])
  return Object.fromEntries(resources) as Switchyard
}
