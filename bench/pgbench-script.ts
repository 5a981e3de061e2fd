// The two statements of a payment as a pgbench script. With `-M prepared` pgbench sends every `:name` as a parameter
// of a prepared statement, in text form, so this is the service's own traffic with the service taken away. What
// differs from the real thing:
//
// - null is written into the text, because a variable of pgbench cannot be null (the server is spared a few bytes for
// each);  - a parameter that the text uses twice is sent twice, because pgbench numbers uses, not names;  - bytea
// travels as hex (twice its bytes); `pg` sends it as it is;  - ids are joined in the statement from a constant part
// and a number, because pgbench has no text: `||` costs well under a microsecond;  - times are those of the sample,
// the same for every payment.
//
// Ids keep their size and their order: payment ids rise, as the service's do, and request ids are random, so indexes
// grow alike.
import type { Sample, Unique } from './statements.ts'

/** Text of a script, and what its variables hold (`-D name=value`). */
export type Script = { text: string; variables: Record<string, string> }

type Part = { sql: string; variables: Record<string, string> }

/** 16 digits in place of the 16 random characters at the end of a payment id. */
const ID_DIGITS = 16
/** 19 random digits at the start of a request id. */
const REQUEST_DIGITS = 19

export function renderParameter(value: unknown, type: string, name: string, unique: Unique, nth: string): Part {
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

/** One statement. `nth` tells the payments of a batch apart. */
export function renderStatement(sample: Sample, prefix: string, nth = ''): Part {
  const variables: Record<string, string> = {}
  const sql = sample.text.replace(/\$(\d+)::(\w+)/g, (_all, n: string, type: string) => {
    const part = renderParameter(sample.values[Number(n) - 1], type, `${prefix}${n}`, sample.unique, nth)
    Object.assign(variables, part.variables)
    return part.sql
  })
  // A line of a script ends with its statement's semicolon.
  return { sql: `${sql.replace(/\s*\n\s*/g, ' ')};`, variables }
}

/** The numbers of the next payment: `n` counts within a client and starts where the caller says (`-D n=…`). */
const next = (nth: string) => `\\set n :n + 1
\\set id${nth} 1000000000000000 + :n * 1000 + :client_id
\\set request${nth} random(1000000000000000000, 9223372036854775807)`

/** Begin, wait, settle, wait: every statement its own transaction. */
export function oneAtATime(begin: Sample, settle: Sample): Script {
  const [first, second] = [renderStatement(begin, 'b'), renderStatement(settle, 's')]
  return { text: `${next('')}\n${first.sql}\n${second.sql}\n`, variables: { ...first.variables, ...second.variables } }
}

/** The begins of many payments in one transaction and their settles in another, sent without waiting. */
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
