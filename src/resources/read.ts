import Type, { type TObject, type TObjectOptions, type TOptional, type TSchema } from 'typebox'
import { anyText, bool, closed, dateTime, minor, open, orNull, withDescription } from '../base/shapes.ts'
import type { Row } from '../context.ts'
import { type Listing, listedIds } from '../database/listing-kinds.ts'
import type { Column } from '../database/table.ts'
import type { Filter, ListFilters } from '../lists/filters.ts'
import type { Field, Fields } from './field.ts'

/** Functions that read a table of fields. Each takes the table of one resource, as a constant. */

/** The names of the fields that have these facts. */
export type NamesWhere<F extends Fields, Facts> = { [N in keyof F]: F[N] extends Facts ? N : never }[keyof F] & string

/** The request members that are stored in columns of their own, and those in the column `request`. */
export type ColumnMember<F extends Fields> = NamesWhere<F, { shape: TSchema; storedIn: 'column' }>
export type RequestMember<F extends Fields> = NamesWhere<F, { shape: TSchema; storedIn: 'request' }>

type Taken<F extends Fields, Asking extends string> = {
  [N in keyof F]: F[N] extends { shape: TSchema }
    ? F[N] extends { acceptedIn: readonly (infer Some)[] }
      ? Asking extends Some
        ? N
        : never
      : N
    : never
}[keyof F]
type Shape<F> = F extends { shape: infer S extends TSchema } ? S : never
type Members<F extends Fields, Asking extends string> = {
  [N in Taken<F, Asking>]: F[N] extends { requiredIn: readonly (infer Some)[] }
    ? Asking extends Some
      ? Shape<F[N]>
      : TOptional<Shape<F[N]>>
    : TOptional<Shape<F[N]>>
}

/** Whether an operation accepts a field. */
export const takes = (asking: string, { shape, acceptedIn }: Field): boolean =>
  shape !== undefined && (acceptedIn?.includes(asking) ?? true)

const taken = (fields: Fields, asking: string): [string, Field][] => Object.entries(fields).filter(([, field]) => takes(asking, field))

/** Returns the shape of an operation's body: a closed object, unless the options differ. */
export const shapeOf = <F extends Fields, Asking extends string>(
  fields: F,
  asking: Asking,
  options: TObjectOptions = closed,
): TObject<Members<F, Asking>> =>
  Type.Object(
    Object.fromEntries(
      taken(fields, asking).map(([name, { shape, requiredIn, description }]) => {
        const described = withDescription(shape!, description)
        return [name, requiredIn?.includes(asking) ? described : Type.Optional(described)]
      }),
    ) as unknown as Members<F, Asking>,
    options,
  )

type ColumnNames<F extends Fields> = { [N in keyof F]: F[N] extends { column: Column<infer _> } ? N : never }[keyof F]
export type ColumnsOf<F extends Fields> = { [N in ColumnNames<F>]: F[N] extends { column: infer C } ? C : never }

/** Returns the columns of the fields, for the definition of their table. */
export const tableColumns = <F extends Fields>(fields: F): ColumnsOf<F> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, { column }]) => (column ? [[name, column]] : []))) as ColumnsOf<F>

const columnShapes: Readonly<Record<string, TSchema>> = { text: anyText, boolean: bool, bigint: minor, timestamptz: dateTime, json: open }

/** Returns the shape of a column in answers. */
export function shapeOfColumn({ is: { sql, words, nullable } }: Column<unknown>): TSchema {
  const shape = words ? Type.Enum([...words]) : columnShapes[sql]!
  return nullable ? orNull(shape) : shape
}

type ValueOf<F> = F extends { column: Column<infer V> } ? V : never
type Begins<F extends Fields> = {
  [N in ColumnNames<F>]: F[N] extends { initial: unknown } ? N : null extends ValueOf<F[N]> ? N : never
}[ColumnNames<F>]
type InitialRow<F extends Fields> = { -readonly [N in Begins<F>]: ValueOf<F[N]> }

/** A new row's columns: the request's values, else initial ones. The caller sets others that may not be null. */
export function initialRowOf<F extends Fields>(fields: F): (input: Row) => InitialRow<F> {
  const begins = Object.entries(fields)
    .filter(([, { column, initial }]) => column && (column.is.nullable || initial !== undefined))
    .map(([name, { storedIn, initial }]) => ({ name, isGiven: storedIn === 'column', initial: initial ?? null }))
  return input => {
    const row: Row = {}
    for (const { name, isGiven, initial } of begins) row[name] = (isGiven ? input[name] : undefined) ?? initial
    return row as InitialRow<F>
  }
}

/** Returns the members of a request that are stored in this place. */
export function storedMembers(fields: Fields, where: Field['storedIn'], ask: object): Row {
  const members: Row = {}
  for (const [name, { storedIn, shape }] of Object.entries(fields))
    if (shape && storedIn === where && (ask as Row)[name] !== undefined) members[name] = (ask as Row)[name]
  return members
}

/** Returns the checks of a request's members, one for each member. */
export const checksOfFields = <M>(fields: Fields, ask: object, merchant: M): (() => void)[] =>
  Object.entries(fields).flatMap(([name, { check }]) => {
    const value = (ask as Row)[name]
    return check && value !== undefined
      ? [() => (check as (field: string, value: unknown, merchant: M) => void)(name, value, merchant)]
      : []
  })

/** Returns the names of the fields that a browser may set. */
export const browserFields = (fields: Fields): string[] => namesOf(fields, ({ settableBy }) => settableBy === 'browser')

/** Returns the names of the fields that are personal data. */
export const personalFields = (fields: Fields): string[] => namesOf(fields, ({ personal }) => personal === true)

/** Returns the columns of an export, in order. */
export const exportedFields = (fields: Fields): string[] => inPlace(fields, ({ exportPosition }) => exportPosition)

const namesOf = (fields: Fields, is: (field: Field) => boolean): string[] =>
  Object.entries(fields)
    .filter(([, field]) => is(field))
    .map(([name]) => name)

/** Returns the names of the fields that have a place, in the order of their places, which are counted from 1. */
function inPlace(fields: Fields, placeOf: (field: Field) => number | undefined): string[] {
  const placed = Object.entries(fields)
    .map(([name, field]) => ({ name, place: placeOf(field) }))
    .filter((one): one is { name: string; place: number } => one.place !== undefined)
    .sort((a, b) => a.place - b.place)
  const wrong = placed.find(({ place }, i) => place !== i + 1)
  if (wrong)
    throw new Error(
      `${wrong.name}: the places are counted from 1, each once; ${wrong.place} is taken or leaves a gap: a new field has ${placed.length}`,
    )
  return placed.map(({ name }) => name)
}

/** How rows are indexed for lists. `made`: values computed from the row instead of read from their column. */
export function listingOf(fields: Fields, more: Omit<Listing, 'ids' | 'facets'>, made: Listing['facets'] = {}): Listing {
  const ids: Listing['ids'] = {}
  for (const [name, { filter }] of Object.entries(fields))
    if (typeof filter?.by === 'object' && 'id' in filter.by) {
      const { id } = filter.by
      if (ids[id]) throw new Error(`${name}: another filter is by ${id} already; each of ${listedIds.join(', ')} is for one`)
      ids[id] = made[name] ?? (id === name ? 'column' : (row: Row) => row[name] as string | null)
    }
  const facets = inPlace(fields, ({ filter }) => (typeof filter?.by === 'object' && 'facet' in filter.by ? filter.by.facet : undefined))
  return { ...more, ids, facets: Object.fromEntries(facets.map(name => [name, made[name] ?? 'column'])) }
}

/** Returns the filters of a resource's lists. */
export function filtersOf(fields: Fields): ListFilters {
  const placed = inPlace(fields, ({ filter }) => filter?.place)
  const listed = Object.keys(fields).filter(name => fields[name]!.filter)
  if (placed.length > 0 && placed.length < listed.length) throw new Error('if a filter has a place, each must have one')
  return Object.fromEntries((placed.length > 0 ? placed : listed).map(name => filterOf(name, fields[name]!)))
}

function filterOf(name: string, { filter: ofList, description: ofField }: Field): [string, Filter] {
  const { as = name, by, place: _place, description = by === 'own id' ? null : ofField, ...filter } = ofList!
  return [
    as,
    {
      ...(typeof description === 'string' && { description }),
      ...filter,
      by: typeof by === 'object' && 'facet' in by ? { facet: name } : by,
    },
  ]
}

type SentName<F extends Fields> = NamesWhere<F, { sentToProcessor: true }>
type Sent<F extends Fields, R> = {
  [N in SentName<F>]: N extends keyof R ? R[N] : F[N] extends { shape: infer S extends TSchema } ? Type.Static<S> | null : never
}

/** Takes a row; returns its members for processors, from columns and request. Null if the request did not set one. */
export function processorMembers<F extends Fields>(fields: F): <R extends { request: object }>(row: R) => Sent<F, R> {
  const sent = Object.entries(fields).filter(([, field]) => field.sentToProcessor)
  return row =>
    Object.fromEntries(
      sent.map(([name, { column }]) => [name, (column ? (row as Row)[name] : (row.request as Row)[name]) ?? null]),
    ) as never
}

/** The members that an operation only stores, with the reasons; one within another is written with dots. */
export const keptOnlyBy = (fields: Fields, asking: string): Record<string, string> =>
  Object.fromEntries(
    taken(fields, asking).flatMap(([name, { effect, storedOnlyMembers = {} }]) => {
      const kept = typeof effect === 'object' ? effect.keptOnly : undefined
      const itself = kept && (kept.in?.includes(asking) ?? true) ? [[name, kept.why]] : []
      return [...itself, ...Object.entries(storedOnlyMembers).map(([path, why]) => [`${name}.${path}`, why])]
    }),
  )
