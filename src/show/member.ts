import type { TSchema } from 'typebox'
import type { Merchant } from '../accounts/merchant.ts'
import { anyText, dateTime, open, orNull } from '../base/shapes.ts'
import type { Time } from '../context.ts'
import type { Field } from '../payments/fields/field.ts'
import type { Payment } from '../payments/payment.ts'

/**
 * Who looks: the merchant's server sees everything, a browser with a client_secret not what was meant for the server.
 */
export type Audience = 'server' | 'client'

/**
 * How a payment is looked at, and when. `knows`: which next actions a browser can show by itself; those of existing
 * checkouts, unless it says that it knows all.
 */
export type View = { merchant: Merchant; publicUrl: string; eyes: Audience; now: Time; knows?: 'all next actions' }

/** A member of a payment's answer. Answers, their schema in OpenAPI and the glossary are read off these. */
export type Member = {
  shape: TSchema
  /**
   * Where it comes from: the column of its name, or of another; the member of its name in one of the columns that
   * hold several; what is made of the row; nothing yet, so that it is null.
   */
  from: 'column' | { column: keyof Payment } | 'asked' | 'facts' | 'last_error' | 'nothing' | ((payment: Payment, view: View) => unknown)
  /** What is said where nothing is kept, if that is not null. */
  unsaid?: boolean
  /** Only the merchant's server sees it. */
  serverOnly?: boolean
  /** What it means, for people: a word of the glossary. */
  says?: string
}
export type Members = Readonly<Record<string, Member>>

export const textOrNull = orNull(anyText)
export const timeOrNull = orNull(dateTime)
export const objectOrNull = orNull(open)

/** The fields of a chapter that are shown as they are kept. */
export const shownAsKept = (chapter: Readonly<Record<string, Field>>): Members =>
  Object.fromEntries(
    Object.entries(chapter)
      .filter(([, { shown }]) => shown === 'to all' || shown === 'to the server')
      .map(([name, { shape, seen, kept, shown, unsaid }]) => [
        name,
        {
          shape: seen ?? orNull(shape),
          from: kept === 'column' ? 'column' : 'asked',
          serverOnly: shown === 'to the server',
          ...(unsaid !== undefined && { unsaid }),
        },
      ]),
  )

/** All of these in one, in their order. A member that two of them have is a mistake of ours. */
export function mergedMembers(...chapters: readonly Members[]): Members {
  const all = Object.assign({}, ...chapters) as Members
  const count = chapters.reduce((sum, chapter) => sum + Object.keys(chapter).length, 0)
  if (Object.keys(all).length !== count) throw new Error('a member of the payment is shown twice')
  return all
}

/**
 * What writes these members of a payment. Compiled to one literal: a name that is a variable is looked up anew each
 * time. The names are the tables' own, never a caller's.
 */
export function renderer(members: Members): (payment: Payment, view: View) => Record<string, unknown> {
  const makers: Record<string, unknown> = {}
  const value = (name: string, { from, unsaid }: Member): string => {
    if (from === 'nothing') return 'null'
    if (from === 'column') return `payment.${name}`
    if (from === 'asked') return `asked.${name} ?? ${unsaid ?? null}`
    if (typeof from === 'string') return `${from}?.${name} ?? null`
    if (typeof from === 'object') return `payment.${from.column}`
    makers[`make_${name}`] = from
    return `make_${name}(payment, view)`
  }
  const seen = (name: string, member: Member): string =>
    member.serverOnly ? `server ? (${value(name, member)}) : null` : value(name, member)
  const lines = Object.entries(members).map(([name, member]) => `${name}: ${seen(name, member)}`)
  const body = `return (payment, view) => {
    const { asked, facts, last_error } = payment
    const server = view.eyes === 'server'
    return { ${lines.join(',\n')} }
  }`
  return new Function(...Object.keys(makers), body)(...Object.values(makers))
}
