import Type, { type TObject, type TSchema } from 'typebox'
import { LARGEST_AMOUNT } from '../base/money.ts'
import { dateTime, strictObject, withDescription } from '../base/shapes.ts'
import type { Row, Statement } from '../context.ts'
import type { ListedId } from '../database/listing-kinds.ts'

/**
 * A condition that is checked on the rows themselves, one after the other, until a page is full: for GET lists and
 * exports. `among`: the only words of a facet for which the condition can hold. `found`: the statements that find the
 * rows by an index, for either direction: their parameters are merchant, value, both times, the place at which the
 * page begins, and its size.
 */
type RowFilter = {
  holds(row: Row, value: string): boolean
  among?: { facet: string; values: readonly string[] }
  found?: Readonly<Record<'asc' | 'desc', Statement>>
}

/**
 * A filter, from which follow the shapes of requests, column predicates, their reading (`read-conditions.ts`) and docs.
 * `by`: a facet of the kind, an id that few objects have in common, conditions on the rows, or the object's own id.
 */
export type Filter = {
  shape: TSchema
  by: { facet: string } | { id: ListedId } | { onRows: RowFilter } | 'own id'
  /** Whether several values may be given, any of which may match. `or one`: a single value need not be in a list. */
  many?: true | 'or one'
  /** The filter's name in column predicates, if it differs; null: column predicates do not have it. */
  column?: string | null
  /** Converts a value that existing clients send under another name. */
  means?(value: string): string
  description?: string
}

export type ListFilters = Readonly<Record<string, Filter>>

/**
 * `created`: the name of the time bounds of the GET list. `orders`: those that may be asked for, and their columns.
 */
export type Listable = {
  filters: ListFilters
  created: string
  orders: Readonly<Record<string, string>>
  /** The largest page of its POST list. */
  most: number
  /** The page sizes of its GET list; 1 to 100 by default. */
  inGet?: { least: number; most: number }
  /** Further orders of its GET list, ascending and without cursors. */
  ordersInGet?: readonly string[]
  /** Whether both cursors of its GET list may be given at once. The page then lies between them. */
  between?: true
  /** Whether the resource has no amount to filter by. */
  amountless?: true
  /** Objects that have a word of this facet are never listed. */
  hides?: string
  /** For filters that clients try and that do not exist, the filter to use instead. */
  instead?: Readonly<Record<string, string>>
  /** Required members of the POST list (not of a profile's); any spelling of `start_time` counts. */
  needs?: readonly string[]
}

const optional = Type.Optional
const whole = Type.Integer({
  minimum: 0,
  maximum: 2_147_483_647,
  description: 'At most 2000 in a list of more than 10000 objects (1000 with a range of amounts): page on with starting_after',
})

/** No text of a filter is longer than the longest text that it is compared with. */
export const anyOf = (values: readonly string[]): TSchema => Type.Enum([...values])

const operators = ['eq', 'ne', 'in', 'not_in', 'lt', 'lte', 'gt', 'gte', 'is_null', 'is_not_null'] as const
export type Operator = (typeof operators)[number]

const MOST_VALUES = 100

/** The columns of column predicates, each with its filter; `amount` and the time of creation have none. */
export const columnsOf = ({ filters, created, amountless }: Listable): Map<string, Filter | 'amount' | 'created'> =>
  new Map<string, Filter | 'amount' | 'created'>([
    ...Object.entries(filters)
      .filter(([, filter]) => filter.column !== null && !isRowFilter(filter))
      .map(([name, filter]) => [filter.column ?? name, filter] as const),
    ...(amountless ? [] : [['amount', 'amount'] as const]),
    [created, 'created'],
  ])

const scalar = Type.Union([Type.String({ maxLength: 512 }), Type.Integer({ maximum: LARGEST_AMOUNT })])

const predicate = (listable: Listable): TSchema =>
  strictObject({
    column: Type.Enum([...columnsOf(listable).keys()]),
    operator: Type.Enum([...operators]),
    value: optional(Type.Union([scalar, Type.Array(scalar, { maxItems: MOST_VALUES })])),
  })

function severalOf(shape: TSchema, many: true | 'or one', description: string | undefined): TSchema {
  const several = Type.Array(shape, { maxItems: MOST_VALUES })
  return withDescription(many === 'or one' ? Type.Union([several, shape]) : several, description)
}

/** Whether the filter is checked on the rows themselves. POST lists, which count, do not take such filters. */
export const isRowFilter = ({ by }: Filter): boolean => typeof by === 'object' && 'onRows' in by

const valuesOf = (filters: [string, Filter][]): [string, TSchema][] =>
  filters.map(([name, { shape, many, description }]) => [
    name,
    optional(many ? severalOf(shape, many, description) : withDescription(shape, description)),
  ])

/** A time range, with a start, and an end that defaults to now. */
export const timeRange = strictObject({ start_time: dateTime, end_time: optional(dateTime) })
const amounts = {
  start_amount: optional(Type.Integer({ maximum: LARGEST_AMOUNT })),
  end_amount: optional(Type.Integer({ maximum: LARGEST_AMOUNT })),
}
const amountFilter = Type.Object(amounts, {
  additionalProperties: false,
  description: 'Both limits inclusive; in the lowest denomination of the currency',
})

export function postShape(listable: Listable): TObject {
  const { filters, orders, most, amountless } = listable
  return Type.Object(
    {
      ...Object.fromEntries(valuesOf(Object.entries(filters).filter(([, filter]) => !isRowFilter(filter)))),
      ...(amountless ? {} : { amount_filter: optional(amountFilter) }),
      start_time: optional(Type.String({ format: 'date-time', description: 'Created at or after this time' })),
      end_time: optional(Type.String({ format: 'date-time', description: 'Created at or before this time; defaults to now' })),
      startTime: optional(Type.String({ format: 'date-time', description: 'Alias of start_time' })),
      endTime: optional(Type.String({ format: 'date-time', description: 'Alias of end_time' })),
      time_range: optional(timeRange),
      order: optional(
        Type.Object(
          { on: optional(Type.Enum(Object.keys(orders))), by: optional(Type.Enum(['asc', 'desc'])) },
          { additionalProperties: false, description: 'Newest first by default' },
        ),
      ),
      column_predicates: optional(
        Type.Array(predicate(listable), {
          maxItems: 20,
          description:
            'Additional conditions: `{column, operator, value}`; `in` and `not_in` take a list, `is_null` and `is_not_null` no value. Ids support only `eq` and `in`, times and amounts also `lt`, `lte`, `gt`, `gte`',
        }),
      ),
      limit: optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: `At most ${most}; 10 by default` })),
      offset: optional(whole),
    },
    closedFilters(listable),
  )
}

/** Takes no further members, and names what to use instead of members that clients try. */
export const closedFilters = ({ instead }: Pick<Listable, 'instead'>) => ({
  additionalProperties: false as const,
  ...(instead && { 'x-instead': instead }),
})

const comparisons = ['lt', 'gt', 'lte', 'gte'] as const

/** The members of a time range as the query of a GET list may also have them, by their full names. */
export const rangeMembers = (['start_time', 'end_time'] as const).flatMap(member =>
  [`time_range.${member}`, `time_range[${member}]`].map(name => ({ name, member })),
)

/** Returns the shape of the query of a GET list: the same filters, time bounds in both spellings, and cursors. */
export function getShape(listable: Listable): TObject {
  const { filters, created, amountless, ordersInGet } = listable
  const { least, most } = limitsInGet(listable)
  const times = ['', ...comparisons.flatMap(one => [`.${one}`, `_${one}`])].map(end => [`${created}${end}`, optional(dateTime)] as const)
  return Type.Object(
    {
      ...Object.fromEntries(valuesOf(Object.entries(filters))),
      ...(ordersInGet && {
        order: optional(
          Type.Enum(['created', ...ordersInGet], { description: 'created: newest first (default); others ascending, without cursors' }),
        ),
      }),
      ...Object.fromEntries(times),
      start_time: optional(dateTime),
      end_time: optional(dateTime),
      time_range: optional(Type.String({ maxLength: 255, description: 'Both limits: `{"start_time":…,"end_time":…}`, or `start,end`' })),
      ...Object.fromEntries(rangeMembers.map(({ name }) => [name, optional(dateTime)])),
      ...(amountless ? {} : amounts),
      starting_after: optional(
        Type.String({ maxLength: 64, description: 'Id of the last object of the previous page: lists the objects after it' }),
      ),
      ending_before: optional(
        Type.String({ maxLength: 64, description: 'Id of the first object of the next page: lists the objects just before it' }),
      ),
      limit: optional(Type.Integer({ maximum: 2_147_483_647, description: `${least} to ${most}; 10 by default` })),
      offset: optional(whole),
    },
    closedFilters(listable),
  )
}

export const limitsInGet = ({ inGet }: Listable): { least: number; most: number } => inGet ?? { least: 1, most: 100 }
export { comparisons }
