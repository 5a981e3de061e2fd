import { fail } from 'node:assert/strict'
import { connect } from 'node:net'
import { after } from 'node:test'
import { Pool } from 'undici'
import { canonical } from '../../../src/base/canonical.ts'
import { refusalCatalogue } from '../../../src/base/refusal.ts'
import { errorText } from '../../refused.ts'
import type { Body } from '../../shop.ts'
import { type Field, fits, isRequired, nameOf } from './fields.ts'
import type { Hostile } from './hostile.ts'

/** Sends requests with arbitrary bytes to the service, and judges the answers. */

export type RawAnswer = { status: number; body: Body; text: string; headers: Record<string, string | string[] | undefined> }

const AT_ONCE = 16

export function openApiClient(url: string, headers: Record<string, string>) {
  const pool = new Pool(url, { connections: AT_ONCE, pipelining: 1 })
  after(() => pool.close())
  return async (method: string, path: string, body?: Buffer | string, more: Record<string, string> = {}): Promise<RawAnswer> => {
    const answer = await pool.request({
      method: method as 'GET',
      path,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers, ...more },
      ...(body !== undefined && { body }),
    })
    const text = await answer.body.text()
    return { status: answer.statusCode, body: parsed(text), text, headers: answer.headers }
  }
}

export type ApiClient = ReturnType<typeof openApiClient>

function parsed(text: string): Body {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Sends one request, written by hand, on a socket of its own, for bytes that no client library would send. The status
 * is 0 if the connection was closed without an answer.
 */
export function shout(url: string, request: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    const chunks: Buffer[] = []
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer in 10 s')))
    socket.on('data', chunk => chunks.push(chunk))
    socket.on('error', error => ((error as { code?: string }).code === 'ECONNRESET' || chunks.length > 0 ? null : reject(error)))
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString()
      const split = text.indexOf('\r\n\r\n')
      const head = split < 0 ? text : text.slice(0, split)
      const body = split < 0 ? '' : text.slice(split + 4)
      const headers = Object.fromEntries(
        head
          .split('\r\n')
          .slice(1)
          .map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
      )
      resolve({ status: Number(head.match(/^HTTP\/1\.1 (\d{3})/)?.[1] ?? 0), body: parsed(body), text: body, headers })
    })
    socket.on('connect', () => socket.write(request))
  })
}

/** Runs the work for all items, 16 at a time. */
export async function each<T>(items: readonly T[], work: (item: T, i: number) => Promise<void>): Promise<void> {
  let next = 0
  const one = async () => {
    while (next < items.length) {
      const i = next++
      await work(items[i]!, i)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}

const entries = Object.values(refusalCatalogue).map(({ status, code, type }) => `${status} ${code} ${type}`)
const known = new Set(entries.filter(entry => !entry.startsWith('500')))

/** Gives null if the answer is a refusal of the catalogue, else a description of its fault. */
export function faultOfRefusal({ status, body }: RawAnswer): string | null {
  const error = body?.error
  if (status === 200) return 'is not a refusal'
  if (!error) return 'is no refusal of the catalogue'
  if (!known.has(`${status} ${error.code} ${error.type}`)) return `is not in the catalogue: ${status} ${error.code} ${error.type}`
  if (typeof error.message !== 'string' || error.message.length === 0) return 'has no message'
  if (typeof error.help !== 'string' || error.help.length === 0) return 'has no help'
  if (error.message.length > 5001) return `has a message of ${error.message.length} characters`
  return null
}

/** Gives null if the answer is a success or a refusal of the catalogue, else a description of its fault. */
export const faultOfAnswer = (answer: RawAnswer): string | null => (answer.status === 200 ? null : faultOfRefusal(answer))

/** Whether the interface treats a value as absent. */
const absent = (value: unknown): boolean => value === undefined || value === null || value === ''

/**
 * Gives a value as it may be stored: absent, `null` and `""` members are the same, except inside the merchant's own
 * data.
 */
export function asKept(value: unknown, own: boolean): unknown {
  if (own || value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(one => asKept(one, own))
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => !absent(member))
      .map(([name, member]) => [name, asKept(member, own)]),
  )
}

/** Whether two values are equal as JSON: members in any order; -0 is 0. */
export const same = (a: unknown, b: unknown): boolean => canonical(a ?? null) === canonical(b ?? null)

/** Whether a member's content is the merchant's own data. */
const isOwn = (path: readonly string[]): boolean => path[0] === 'metadata' || path[0] === 'frm_metadata'

/** Collects all complaints and fails with all of them at once: the field, the value, the answer. */
export function openComplaints() {
  const list: string[] = []
  return {
    list,
    about: (path: readonly string[], hostile: Pick<Hostile, 'name'>, answer: RawAnswer | null, what: string) => {
      const detail = answer && answer.status !== 200 ? ` · ${answer.status} ${answer.text.slice(0, 160)}` : ''
      list.push(`${nameOf(path) || '(the body)'} ← ${hostile.name}: ${what}${detail}`)
    },
    none: () => {
      if (list.length === 0) return
      const shown = list.slice(0, 60).join('\n  ')
      fail(`${list.length} complaints:\n  ${shown}${list.length > 60 ? `\n  … and ${list.length - 60} more` : ''}`)
    },
  }
}

export type Complaints = ReturnType<typeof openComplaints>

const idNouns: Record<string, string> = { payment_id: 'payment', profile_id: 'business profile', merchant_id: 'merchant account' }

/**
 * Whether the message names the field at fault. An object that is not found by its id is named by its kind (HE_02).
 */
function names(path: readonly string[], { status, body }: RawAnswer): boolean {
  const last = path.filter(name => !/^\d+$/.test(name)).at(-1) ?? ''
  const message = errorText(body.error)
  if (message.includes(last) || message.includes('The body is larger than')) return true
  // A feature that this version does not have is refused by its own name, with any contents.
  if (['IR_00', 'IR_19'].includes(body.error.code) && path.some(name => message.includes(name))) return true
  // A split, or the look of a page, is refused as a whole where the payment cannot be split or has no page.
  if (/^(split_|payment_link_config)/.test(path[0]!) && message.includes(path[0]!)) return true
  // Credentials in a later request of a payment are compared with the stored ones, member by member.
  const compared = path.slice(0, 3).join('.')
  if (path[0] === 'merchant_connector_details' && message.includes(compared) && message.includes('differs from')) return true
  // An absent member may leave its parent empty; the message then names the parent as missing. A payment in
  // installments must contain their number.
  if (last === 'payment_type' && message.includes('installment_data')) return true
  const isAbsent = body.error.code === 'IR_04' || message.startsWith('A payment token or payment method data')
  if (isAbsent && path.length > 1) return message.includes(path.at(-2)!)
  return status === 404 && message.includes(idNouns[last] ?? '@')
}

export type Verdict = { is: 'accepted'; sent: unknown } | { is: 'refused' } | { is: 'wrong' }

/**
 * Judges the answer to one hostile value in one field. The verdict `accepted` contains the sent value, which the
 * caller still compares with the stored one. A value that cannot be stored, or that does not fit the schema, must be
 * refused; a refusal must be one of the catalogue and name the field.
 */
export function judge(
  complaints: Complaints,
  field: Field,
  hostile: Hostile,
  answer: RawAnswer,
  isYes = (h: RawAnswer) => h.status === 200,
): Verdict {
  const wrong = (what: string): Verdict => {
    complaints.about(field.path, hostile, answer, what)
    return { is: 'wrong' }
  }
  if (isYes(answer)) {
    if (hostile.never) return wrong('was accepted')
    const sent = asKept(JSON.parse(String(hostile.raw)), isOwn(field.path))
    // An element of a list is not a member: it stays in the list, whether null or empty.
    if (absent(sent) && field.path.at(-1) !== '0')
      return isRequired(field) ? wrong('was accepted, though it is needed') : { is: 'accepted', sent: undefined }
    return fits(field.schema, sent) ? { is: 'accepted', sent } : wrong('was accepted, though it does not fit')
  }
  const fault = faultOfRefusal(answer)
  if (fault) return wrong(fault)
  if (!hostile.nameless && !names(field.path, answer)) return wrong('the refusal does not name it')
  return { is: 'refused' }
}
