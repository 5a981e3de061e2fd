import type { Books } from './books.ts'
import type { ClientAnswer } from './clients.ts'
import type { Difference } from './judge.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows and ledgers as they come
type Body = any

/** Gives a row as JSON without its null members. */
const brief = (row: Body): string => JSON.stringify(row, (_name, value) => value ?? undefined)

/**
 * Gives all that is known of one payment, in the order in which it happened: the changes of the service, the
 * operations of the processor, the answers to clients.
 */
function historyOf(payment_id: string, books: Books, received: readonly ClientAnswer[]): string[] {
  const row = books.payments.get(payment_id)
  const operations = books.operations.get(payment_id) ?? []
  const lines: [number, string][] = []
  const at = (time: Date | string | number, text: string) => lines.push([new Date(time).getTime(), text])
  for (const { version, sequence, type, announces, was, by, created } of books.events.get(payment_id) ?? [])
    at(
      created,
      `event ${version}/${sequence ?? '-'} ${type}${announces ? ` (${announces})` : ''} by ${by}, was ${brief({ ...was, modified_at: undefined })}`,
    )
  for (const operation of operations) {
    const { merchant_id: _m, payment_id: _p, connector: _c, merchant_connector_id: _a, began, ...rest } = operation
    at(began, `operation ${brief(rest)}`)
    for (const their of books.remote.get(operation.request_id) ?? []) {
      const { id, type, status, amount, decline, payment_state, created_at, updated_at, sends } = their
      at(created_at, `processor ${brief({ id, type, status, amount, decline: decline?.code, payment_state, updated_at, sends })}`)
    }
  }
  for (const { order, at: when, outcome, yes } of received) {
    const about = order.path.includes(payment_id) || yes?.payment_id === payment_id || order.body?.payment_id === payment_id
    if (about || (row && order.body?.description === row.request.description))
      at(
        when,
        `heard ${outcome}${yes ? ` ${brief(yes)}` : ''} by ${order.method} ${order.path} ${order.key ?? ''} ${brief({ ...order.body, payment_method_data: undefined, description: undefined })}`,
      )
  }
  const { request: _request, facts: _facts, ...short } = row ?? {}
  return [
    `  row ${brief(short)}`,
    ...(books.charges.get(payment_id) ?? []).map(charge => `  charge ${brief(charge)}`),
    ...lines
      .toSorted(([a], [b]) => a - b)
      // A client that repeats its request receives the same answer many times.
      .filter(([, text], i, all) => text !== all[i - 1]?.[1])
      .map(([time, text]) => `  ${new Date(time).toISOString()} ${text}`),
  ]
}

/** Describes the differences: a text for each payment, with its history. */
export function describeDifferences(differences: readonly Difference[], books: Books, received: readonly ClientAnswer[]): string[] {
  return [...Map.groupBy(differences, ({ payment_id }) => payment_id)].map(([payment_id, all]) =>
    [
      `${payment_id ?? 'no payment of ours'}:`,
      ...all.map(({ text }) => `  * ${text}`),
      ...(payment_id ? historyOf(payment_id, books, received) : []),
    ].join('\n'),
  )
}
