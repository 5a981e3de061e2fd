// The two statements of a payment as a pgbench script. With `-M prepared` pgbench sends every `:name` as a parameter
// of a prepared statement, in text form, so this is the service's own traffic without the service. The differences
// from the service's traffic:
//
// - null is written into the text, because a variable of pgbench cannot be null (the server is spared a few bytes
//   for each);
// - a parameter that the text uses twice is sent twice, because pgbench numbers uses, not names;
// - bytea is sent as hex (twice its bytes), where `pg` sends the bytes themselves;
// - ids are joined in the statement from a constant part and a number, because pgbench has no text: `||` costs well
//   under a microsecond;
// - times are those of the sample, the same for every payment.
//
// Ids keep their size and their order: payment ids increase, as the service's do, and request ids are random, so
// indexes grow alike.
import type { Sample, Unique } from './statements.ts'

/** A script's text, and the values of its variables (`-D name=value`). */
export type Script = { text: string; variables: Record<string, string> }

type Part = { sql: string; variables: Record<string, string> }

/** The number of digits that replace the 16 random characters at the end of a payment id. */
const ID_DIGITS = 16
/** The number of random digits at the start of a request id. */
const REQUEST_DIGITS = 19

function renderParameter(value: unknown, type: string, name: string, unique: Unique, nth: string): Part {
  if (value === null || value === undefined) return { sql: `null::${type}`, variables: {} }
  const plain = (text: string): Part => ({ sql: `:${name}::${type}`, variables: { [name]: text } })
  if (Buffer.isBuffer(value)) return plain(`\\x${value.toString('hex')}`)
  const text = String(value)
  if (type !== 'text') return plain(text)
  const joined = (head: string, number: string, tail: string): Part => {
    const parts = [head && `:${name}_head::text`, `:${number}${nth}::text`, tail && `:${name}_tail::text`].filter(Boolean)
    return {
      sql: `(${parts.join(' || ')})`,
      variables: { ...(head && { [`${name}_head`]: head }), ...(tail && { [`${name}_tail`]: tail }) },
    }
  }
  const at = text.indexOf(unique.payment_id)
  if (at >= 0) {
    const end = at + unique.payment_id.length
    return joined(text.slice(0, end - ID_DIGITS), 'id', text.slice(end))
  }
  if (text === unique.request_id) return joined('', 'request', text.slice(REQUEST_DIGITS))
  if (text === unique.event_id) return joined(text.slice(0, -ID_DIGITS), 'id', '')
  return plain(text)
}

/** Renders one statement. `nth` distinguishes the payments of a batch. */
function renderStatement(sample: Sample, prefix: string, nth = ''): Part {
  const variables: Record<string, string> = {}
  const sql = sample.text.replace(/\$(\d+)::(\w+)/g, (_all, n: string, type: string) => {
    const part = renderParameter(sample.values[Number(n) - 1], type, `${prefix}${n}`, sample.unique, nth)
    Object.assign(variables, part.variables)
    return part.sql
  })
  // A line of a script ends with its statement's semicolon.
  return { sql: `${sql.replace(/\s*\n\s*/g, ' ')};`, variables }
}

/**
 * Returns the numbers of the next payment: `n` counts within a client and starts where the caller sets it (`-D n=…`).
 */
const next = (nth: string) => `\\set n :n + 1
\\set id${nth} 1000000000000000 + :n * 1000 + :client_id
\\set request${nth} random(1000000000000000000, 9223372036854775807)`

/** Returns a script that begins a payment, waits, settles it, and waits. Every statement is its own transaction. */
export function oneAtATime(begin: Sample, settle: Sample): Script {
  const [first, second] = [renderStatement(begin, 'b'), renderStatement(settle, 's')]
  return { text: `${next('')}\n${first.sql}\n${second.sql}\n`, variables: { ...first.variables, ...second.variables } }
}

/** Returns a script that begins many payments in one transaction and settles them in another, sent without waiting. */
export function batched(begin: Sample, settle: Sample, payments: number): Script {
  const lines = ['\\startpipeline', 'BEGIN;']
  const variables: Record<string, string> = {}
  const add = (part: Part) => {
    lines.push(part.sql)
    Object.assign(variables, part.variables)
  }
  for (let i = 1; i <= payments; i++) {
    lines.push(next(`_${i}`))
    add(renderStatement(begin, 'b', `_${i}`))
  }
  lines.push('COMMIT;', 'BEGIN;')
  for (let i = 1; i <= payments; i++) add(renderStatement(settle, 's', `_${i}`))
  lines.push('COMMIT;', '\\endpipeline')
  return { text: `${lines.join('\n')}\n`, variables }
}
