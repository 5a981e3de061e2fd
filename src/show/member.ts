import type { TSchema } from 'typebox'
import type { Merchant } from '../accounts/merchant.ts'
import { orNull, textOrNull, withDescription } from '../base/shapes.ts'
import type { Time } from '../context.ts'
import type { Payment } from '../payments/payment.ts'
import type { Field, Fields } from '../resources/field.ts'
import { type NamesWhere, shapeOfColumn } from '../resources/read.ts'

/** A browser with a client_secret does not see members meant for the server. */
export type Audience = 'server' | 'client'

/** `knows`: the next actions that a browser shows itself: all, none (`pages alone`), or those of older checkouts. */
export type View = {
  merchant: Merchant
  publicUrl: string
  audience: Audience
  now: Time
  knows?: KnownActions
  acceptLanguage?: string | undefined
}
type KnownActions = 'all next actions' | 'pages alone'

/** Answers and their schemas in OpenAPI are derived from these members. */
export type Member<Of = Payment, By = View> = {
  shape: TSchema
  /** A column; the member of its name in a column that holds several; a function of the row; or nothing yet (null). */
  from:
    | 'column'
    | { column: keyof Of & string }
    | 'request'
    | 'personal'
    | 'facts'
    | 'last_error'
    | 'nothing'
    | ((row: Of, view: By) => unknown)
  /** If nothing is stored; default: null. */
  unsaid?: Field['default']
  serverOnly?: boolean
  description?: string
}
/** Shapes of nullable texts, by names with blanks between them. */
export const textsOrNull = (names: string): Record<string, typeof textOrNull> =>
  Object.fromEntries(names.split(/\s+/).map(name => [name, textOrNull]))

export type Members<Of = Payment, By = View> = Readonly<Record<string, Member<Of, By>>>

type AsKept = Omit<Member, 'from'> & { from: 'column' | 'request' | 'personal' | 'last_error' | 'nothing' }

const asKeptOf = ({ shape, responseShape, storedIn, column, from, visibility, default: unsaid, description }: Field): AsKept => ({
  shape: responseShape ?? (column ? shapeOfColumn(column) : orNull(shape ?? {})),
  from: from ?? (storedIn === 'column' || column ? 'column' : storedIn === 'sealed' ? 'personal' : 'request'),
  serverOnly: visibility === 'to the server',
  ...(unsaid !== undefined && { unsaid }),
  ...(description !== undefined && { description }),
})

export const shownAsKept = (chapter: Fields): Readonly<Record<string, AsKept>> =>
  Object.fromEntries(
    Object.entries(chapter).flatMap(([name, field]) =>
      field.visibility === 'to all' || field.visibility === 'to the server' ? [[name, asKeptOf(field)]] : [],
    ),
  )

type Made<Of, By> = Pick<Member<Of, By>, 'from'> & Partial<Member<Of, By>>

/** In the order of the fields. `made`: the members that are computed instead of shown as stored. */
export const membersOf = <Of, By, F extends Fields = Fields>(
  fields: F,
  made: Readonly<Record<NamesWhere<F, { visibility: 'computed' }>, Made<Of, By>>>,
): Members<Of, By> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.visibility === undefined ? [] : [[name, { ...asKeptOf(field), ...(made as Readonly<Record<string, Made<Of, By>>>)[name] }]],
    ),
  )

export const shapesOf = <Of, By>(members: Members<Of, By>): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(members).map(([name, { shape, description }]) => [name, withDescription(shape, description)]))

/** Throws if two chapters have the same member. */
export function mergedMembers<Of, By>(...chapters: readonly Members<Of, By>[]): Members<Of, By> {
  const all = Object.assign({}, ...chapters) as Members<Of, By>
  const count = chapters.reduce((sum, chapter) => sum + Object.keys(chapter).length, 0)
  if (Object.keys(all).length !== count) throw new Error('a member is shown twice')
  return all
}

/** Compiled to one literal: members by a variable name need a lookup each time. Names come from the tables only. */
export function renderer<Of, By extends { audience: Audience }>(members: Members<Of, By>): (row: Of, view: By) => Record<string, unknown> {
  const makers: Record<string, unknown> = {}
  const value = (name: string, { from, unsaid }: Member<Of, By>): string => {
    const otherwise = JSON.stringify(unsaid ?? null)
    if (from === 'nothing') return otherwise
    if (from === 'column') return `row.${name}`
    if (from === 'request') return `request.${name} ?? ${otherwise}`
    if (typeof from === 'string') return `${from}?.${name} ?? null`
    if (typeof from === 'object') return `row.${from.column}`
    makers[`make_${name}`] = from
    return `make_${name}(row, view)`
  }
  const seen = (name: string, member: Member<Of, By>): string =>
    member.serverOnly ? `server ? (${value(name, member)}) : null` : value(name, member)
  const lines = Object.entries(members).map(([name, member]) => `${name}: ${seen(name, member)}`)
  const columns = ['request', 'personal', 'facts', 'last_error'].filter(name => Object.values(members).some(({ from }) => from === name))
  const body = `return (row, view) => {
    const { ${columns.join(', ')} } = row
    const server = view.audience === 'server'
    return { ${lines.join(',\n')} }
  }`
  return new Function(...Object.keys(makers), body)(...Object.values(makers))
}
