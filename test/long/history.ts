import type { Books } from './books.ts'
import type { Heard } from './clients.ts'
import type { Difference } from './judge.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows and ledgers as they come
type Body = any

/** Gives a row as JSON without its null members. */
const brief = (row: Body): string => JSON.stringify(row, (_name, value) => value ?? undefined)

/**
 * Gives all that is known of one payment, in the order in which it happened: the changes of the service, the
 * operations of the processor, the answers to clients.
 */
function historyOf(payment_id: string, books: Books, heard: readonly Heard[]): string[] {
  const row = books.payments.get(payment_id)
  const operations = books.operations.get(payment_id) ?? []
  const lines: [number, string][] = []
  const at = (time: Date | string | number, words: string) => lines.push([new Date(time).getTime(), words])
  for (const { version, sequence, type, announces, was, by, created } of books.events.get(payment_id) ?? [])
    at(
      created,
      `event ${version}/${sequence ?? '-'} ${type}${announces ? ` (${announces})` : ''} by ${by}, was ${brief({ ...was, modified_at: undefined })}`,
    )
  for (const operation of operations) {
    const { merchant_id: _m, payment_id: _p, connector: _c, merchant_connector_id: _a, began, ...rest } = operation
    at(began, `operation ${brief(rest)}`)
    for (const their of books.theirs.get(operation.request_id) ?? []) {
      const { id, type, status, amount, decline, payment_state, created_at, updated_at, sends } = their
      at(created_at, `processor ${brief({ id, type, status, amount, decline: decline?.code, payment_state, updated_at, sends })}`)
    }
  }
  for (const { order, at: when, said, yes } of heard) {
    const about = order.path.includes(payment_id) || yes?.payment_id === payment_id || order.body?.payment_id === payment_id
    if (about || (row && order.body?.description === row.request.description))
      at(
        when,
        `heard ${said}${yes ? ` ${brief(yes)}` : ''} by ${order.method} ${order.path} ${order.key ?? ''} ${brief({ ...order.body, payment_method_data: undefined, description: undefined })}`,
      )
  }
  const { request: _request, facts: _facts, ...short } = row ?? {}
  return [
    `  row ${brief(short)}`,
    ...(books.charges.get(payment_id) ?? []).map(charge => `  charge ${brief(charge)}`),
    ...lines
      .toSorted(([a], [b]) => a - b)
      // A client that repeats its request receives the same answer many times.
      .filter(([, words], i, all) => words !== all[i - 1]?.[1])
      .map(([time, words]) => `  ${new Date(time).toISOString()} ${words}`),
  ]
}

/** Describes the differences: a text for each payment, with its history. */
export function tell(differences: readonly Difference[], books: Books, heard: readonly Heard[]): string[] {
  return [...Map.groupBy(differences, ({ payment_id }) => payment_id)].map(([payment_id, all]) =>
    [
      `${payment_id ?? 'no payment of ours'}:`,
      ...all.map(({ words }) => `  * ${words}`),
      ...(payment_id ? historyOf(payment_id, books, heard) : []),
    ].join('\n'),
  )
}
