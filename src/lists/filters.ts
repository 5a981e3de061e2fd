import Type, { type TObject, type TSchema } from 'typebox'
import { LARGEST_AMOUNT } from '../base/money.ts'
import { dateTime, withWords } from '../base/shapes.ts'
import type { Row, Statement } from '../context.ts'
import type { ListedId } from '../database/listed.ts'

/**
 * What is read off the rows themselves, one after the other, until a page is full: for GET lists and exports. `among`:
 * the words of kinds of which alone it may hold. `found`: where it is found by an index, the statement for either
 * direction: its parameters are merchant, value, both times, the place it begins at and how many.
 */
export type LookedInRow = {
  holds(row: Row, value: string): boolean
  among?: { facet: string; words: readonly string[] }
  found?: Readonly<Record<'asc' | 'desc', Statement>>
}

/**
 * What a resource may be listed by: one table of which the shapes of requests, the column predicates, the reading of
 * both (`read.ts`) and the documentation are made. `by`: a facet of its kind, an id that few have in common, or its
 * own id.
 */
export type Filter = {
  /** Of one value. */
  shape: TSchema
  by: { facet: string } | { id: ListedId } | { looked: LookedInRow } | 'own id'
  /** Several values at once: any of them. `or one`: one need not be in a list. */
  many?: true | 'or one'
  /** What column predicates call it, where that is not the name of the filter; null: they do not. */
  column?: string | null
  /** What a value means, where existing clients have other words for it. */
  means?(value: string): string
  says?: string
}

export type ListFilters = Readonly<Record<string, Filter>>

/**
 * How a resource is listed. `created`: what the time bounds of its GET list are called. `orders`: what it may be
 * ordered by, and which column that is.
 */
export type Listable = {
  filters: ListFilters
  created: string
  orders: Readonly<Record<string, string>>
  /** Of its POST list: how many at once, at most and unless it is said. */
  most: number
  /** Of its GET list, how many at once; 1 to 100 unless it is said. */
  inGet?: { least: number; most: number }
  /** What its GET list may be ordered by besides, ascending and without cursors. */
  ordersInGet?: readonly string[]
  /** May both cursors of its GET list be named at once? Then it is what lies between them. */
  between?: true
  /** Has it no amount to ask for? */
  amountless?: true
  /** Objects that have a word of this facet are never listed. */
  hides?: string
  /** Of filters that clients try and that there are not, what to use in their place. */
  instead?: Readonly<Record<string, string>>
  /**
   * What its POST list must say, as the specification has it; the list of a profile, which only existing clients ask
   * for, need not. `start_time` may be said in any of its spellings.
   */
  needs?: readonly string[]
}

const optional = Type.Optional
const whole = Type.Integer({
  minimum: 0,
  maximum: 2_147_483_647,
  description: 'At most 2000 in a list of more than 10000 objects (1000 with a range of amounts): page on with starting_after',
})

/** Texts of filters are no longer than the longest of what they are compared with. */
export const anyOf = (words: readonly string[]): TSchema => Type.Enum([...words])

export const operators = ['eq', 'ne', 'in', 'not_in', 'lt', 'lte', 'gt', 'gte', 'is_null', 'is_not_null'] as const
export type Operator = (typeof operators)[number]

const MOST_VALUES = 100

/** What column predicates may name, and the filter behind it; of `amount` and the time of creation there is none. */
export const columnsOf = ({ filters, created, amountless }: Listable): Map<string, Filter | 'amount' | 'created'> =>
  new Map<string, Filter | 'amount' | 'created'>([
    ...Object.entries(filters)
      .filter(([, filter]) => filter.column !== null && !isLooked(filter))
      .map(([name, filter]) => [filter.column ?? name, filter] as const),
    ...(amountless ? [] : [['amount', 'amount'] as const]),
    [created, 'created'],
  ])

const scalar = Type.Union([Type.String({ maxLength: 512 }), Type.Integer({ maximum: LARGEST_AMOUNT })])

const predicate = (listable: Listable): TSchema =>
  Type.Object(
    {
      column: Type.Enum([...columnsOf(listable).keys()]),
      operator: Type.Enum([...operators]),
      value: optional(Type.Union([scalar, Type.Array(scalar, { maxItems: MOST_VALUES })])),
    },
    { additionalProperties: false },
  )

function severalOf(shape: TSchema, many: true | 'or one', says: string | undefined): TSchema {
  const several = Type.Array(shape, { maxItems: MOST_VALUES })
  return withWords(many === 'or one' ? Type.Union([several, shape]) : several, says)
}

/** Is it read off the rows themselves? POST lists, which count, do not take it. */
export const isLooked = ({ by }: Filter): boolean => typeof by === 'object' && 'looked' in by

const valuesOf = (filters: [string, Filter][]): [string, TSchema][] =>
  filters.map(([name, { shape, many, says }]) => [name, optional(many ? severalOf(shape, many, says) : withWords(shape, says))])

/** A time, from then and until then, or until now. */
export const timeRange = Type.Object({ start_time: dateTime, end_time: optional(dateTime) }, { additionalProperties: false })
const amounts = {
  start_amount: optional(Type.Integer({ maximum: LARGEST_AMOUNT })),
  end_amount: optional(Type.Integer({ maximum: LARGEST_AMOUNT })),
}
const amountFilter = Type.Object(amounts, {
  additionalProperties: false,
  description: 'Both limits inclusive; in the lowest denomination of the currency',
})

/** The body of a POST list. */
export function postShape(listable: Listable): TObject {
  const { filters, orders, most, amountless } = listable
  return Type.Object(
    {
      ...Object.fromEntries(valuesOf(Object.entries(filters).filter(([, filter]) => !isLooked(filter)))),
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

/** An object that takes nothing else, and says what to use in the place of what clients try. */
export const closedFilters = ({ instead }: Pick<Listable, 'instead'>) => ({
  additionalProperties: false as const,
  ...(instead && { 'x-instead': instead }),
})

const comparisons = ['lt', 'gt', 'lte', 'gte'] as const

/** A time range as the query of a GET list has it besides: its members by their full names. */
export const rangeMembers = (['start_time', 'end_time'] as const).flatMap(member =>
  [`time_range.${member}`, `time_range[${member}]`].map(name => ({ name, member })),
)

/** The query of a GET list: the same filters, time bounds in both spellings, and cursors. */
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
