import { refuse } from '../base/refusal.ts'
import { later, readTime } from '../base/time.ts'
import type { Time } from '../context.ts'
import type { ListedId } from '../database/listing-kinds.ts'
import type { Conditions, PageRequest, RowCondition } from './conditions.ts'
import { columnsOf, comparisons, type Filter, type Listable, limitsInGet, type Operator, rangeMembers } from './filters.ts'

export type ListParams = Readonly<Record<string, unknown>>

type Draft = {
  facets: Conditions['facets'][number][]
  ids: Partial<Record<ListedId, readonly string[]>>
  objects: readonly string[] | null
  created: { from: Time; to: Time }
  amount: { from: number; to: number }
  onRows: RowCondition[]
}

const FIRST: Time = '1970-01-01T00:00:00.000Z'
const LAST: Time = '9999-12-31T23:59:59.999Z'

const everything = (): Draft => ({
  facets: [],
  ids: {},
  objects: null,
  created: { from: FIRST, to: LAST },
  amount: { from: 0, to: Number.MAX_SAFE_INTEGER },
  onRows: [],
})

const both = (a: readonly string[] | null | undefined, b: readonly string[]): readonly string[] => a?.filter(id => b.includes(id)) ?? b

function one(draft: Draft, name: string, { by }: Filter, values: readonly string[]): void {
  if (by === 'own id') draft.objects = both(draft.objects, values)
  else if ('onRows' in by) {
    const { holds, among, found = null } = by.onRows
    const value = values[0]!
    draft.onRows.push({ name, holds: row => holds(row, value), found, value })
    if (among) draft.facets.push({ name: among.facet, allows: word => word !== null && among.values.includes(word) })
  } else if ('id' in by) draft.ids[by.id] = both(draft.ids[by.id], values)
  else draft.facets.push({ name: by.facet, allows: word => word !== null && values.includes(word) })
}

type Bounds = { from: Time | number; to: Time | number }

/** Times are whole milliseconds, amounts whole numbers. */
function compare(bounds: Bounds, operator: Operator, value: Time | number): void {
  const next = (by: 1 | -1) => (typeof value === 'number' ? value + by : later(value, by))
  const least = operator === 'gt' ? next(1) : operator === 'eq' || operator === 'gte' ? value : bounds.from
  const most = operator === 'lt' ? next(-1) : operator === 'eq' || operator === 'lte' ? value : bounds.to
  if (least > bounds.from) bounds.from = least
  if (most < bounds.to) bounds.to = most
}

/** `profiles`: those that the caller names or may see; null: all. */
export function readConditions(listable: Listable, ask: ListParams, profiles: readonly string[] | null = null): Conditions {
  const draft = everything()
  for (const [name, filter] of Object.entries(listable.filters)) {
    const given = ask[name]
    if (given === undefined) continue
    const values = [given].flat() as string[]
    one(draft, name, filter, filter.means ? values.map(filter.means) : values)
  }
  if (profiles !== null) draft.facets.push({ name: 'profile_id', allows: word => word !== null && profiles.includes(word) })
  if (listable.hides !== undefined) draft.facets.push({ name: listable.hides, allows: word => word === null })
  readTimes(listable, ask, draft)
  const amount = (ask.amount_filter ?? ask) as { start_amount?: number; end_amount?: number }
  if (amount.start_amount !== undefined) compare(draft.amount, 'gte', amount.start_amount)
  if (amount.end_amount !== undefined) compare(draft.amount, 'lte', amount.end_amount)
  const predicates = (ask.column_predicates ?? []) as Predicate[]
  for (const [i, predicate] of predicates.entries()) readPredicate(listable, draft, predicate, `column_predicates[${i}]`)
  return draft
}

/** In each of the spellings that clients use. */
function readTimes({ created }: Listable, ask: ListParams, draft: Draft): void {
  const range = rangeOf(ask.time_range)
  const bounds: [field: string, said: unknown, operator: Operator][] = [
    ['start_time', ask.start_time, 'gte'],
    ['startTime', ask.startTime, 'gte'],
    ['time_range.start_time', range?.start_time, 'gte'],
    ['end_time', ask.end_time, 'lte'],
    ['endTime', ask.endTime, 'lte'],
    ['time_range.end_time', range?.end_time, 'lte'],
    ...rangeMembers.map(({ name, member }): [string, unknown, Operator] => [name, ask[name], member === 'start_time' ? 'gte' : 'lte']),
    [created, ask[created], 'eq'],
    ...comparisons.flatMap(one =>
      ['.', '_'].map((dot): [string, unknown, Operator] => [`${created}${dot}${one}`, ask[`${created}${dot}${one}`], one]),
    ),
  ]
  for (const [field, given, operator] of bounds) if (given !== undefined) compare(draft.created, operator, readTime(field, given as string))
}

type Range = { start_time?: string; end_time?: string }

/** An object, its JSON text in a query, or both ends with a comma between them. Either end may be missing. */
function rangeOf(given: unknown): Range | undefined {
  if (typeof given !== 'string') return given as Range | undefined
  if (!given.trimStart().startsWith('{')) {
    const [start_time, end_time, ...more] = given.split(',').map(end => end.trim() || undefined)
    if (more.length > 0) refuse('malformed', { field: 'time_range', expected: 'two times with a comma between them' })
    return { ...(start_time !== undefined && { start_time }), ...(end_time !== undefined && { end_time }) }
  }
  const range = parsed(given)
  const isRange = range && Object.entries(range).every(([name, end]) => /^(?:start|end)_time$/.test(name) && typeof end === 'string')
  return isRange ? (range as Range) : refuse('malformed', { field: 'time_range', expected: '{"start_time": a time, "end_time": a time}' })
}

function parsed(text: string): object | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

type Value = string | number
type Predicate = { column: string; operator: Operator; value?: Value | Value[] }

const takes: Readonly<Record<Operator, 'one' | 'a list' | 'none'>> = {
  eq: 'one',
  ne: 'one',
  in: 'a list',
  not_in: 'a list',
  lt: 'one',
  lte: 'one',
  gt: 'one',
  gte: 'one',
  is_null: 'none',
  is_not_null: 'none',
}
const ofBounds: readonly Operator[] = ['eq', 'lt', 'lte', 'gt', 'gte']
const ofFacets: readonly Operator[] = ['eq', 'ne', 'in', 'not_in', 'is_null', 'is_not_null']
const ofIds: readonly Operator[] = ['eq', 'in']

function readPredicate(listable: Listable, draft: Draft, { column, operator, value }: Predicate, field: string): void {
  const of = columnsOf(listable).get(column)!
  const isBound = of === 'amount' || of === 'created'
  const isFacet = !isBound && of.by !== 'own id' && 'facet' in of.by
  const known = isBound ? ofBounds : isFacet ? ofFacets : ofIds
  if (!known.includes(operator))
    refuse('unacceptable', { field: `${field}.operator`, problem: `must be one of ${known.join(', ')} for ${column}` })
  const values = valuesOf(operator, value, `${field}.value`)
  if (isBound) compare(draft[of], operator, boundOf(of, values[0]!, `${field}.value`))
  else {
    for (const each of values) checkWord(of, each, `${field}.value`)
    const meant = values.map(each => of.means?.(String(each)) ?? String(each))
    if (isFacet) draft.facets.push({ name: (of.by as { facet: string }).facet, allows: allowedBy(operator, meant) })
    else one(draft, column, of, meant)
  }
}

function valuesOf(operator: Operator, value: Value | Value[] | undefined, field: string): Value[] {
  const wants = takes[operator]
  const given = value === undefined ? 'none' : Array.isArray(value) ? 'a list' : 'one'
  if (given === 'none' && wants !== 'none') refuse('missing', { field })
  if (given !== wants)
    refuse('unacceptable', { field, problem: `${operator} takes ${wants === 'one' ? 'one value' : wants === 'none' ? 'no value' : wants}` })
  return [value ?? []].flat()
}

function allowedBy(operator: Operator, values: readonly string[]): (word: string | null) => boolean {
  if (operator === 'is_null' || operator === 'is_not_null') return word => (word === null) === (operator === 'is_null')
  const included = operator === 'eq' || operator === 'in'
  return word => (word !== null && values.includes(word)) === included
}

function boundOf(of: 'amount' | 'created', value: Value, field: string): Time | number {
  if (of === 'created') return readTime(field, String(value))
  if (typeof value !== 'number') refuse('unacceptable', { field, problem: 'must be an amount' })
  return value as number
}

/** Refuses (IR_06) a word that no object can have: such a word is a mistake, not an empty list. */
function checkWord({ shape, means }: Filter, value: Value, field: string): void {
  const allowed = (shape as { enum?: unknown[] }).enum
  if (!allowed || allowed.includes(value) || allowed.includes(means?.(String(value)))) return
  refuse('unacceptable', { field, problem: `must be one of ${allowed.join(', ')}` })
}

export function readPostPart({ orders, most, needs = [] }: Listable, ask: ListParams): PageRequest {
  const absent = needs.filter(
    name => ask[name] === undefined && !(name === 'start_time' && (ask.startTime ?? ask.time_range) !== undefined),
  )
  if (absent.length === 1) refuse('missing', { field: absent[0]! })
  if (absent.length > 1) refuse('several_missing', { fields: absent })
  const { limit = 10, offset = 0, order } = ask as { limit?: number; offset?: number; order?: { on?: string; by?: 'asc' | 'desc' } }
  if (limit > most) refuse('unacceptable', { field: 'limit', problem: `must be at most ${most}` })
  return { on: orders[order?.on ?? 'created']!, towards: order?.by ?? 'desc', limit, offset, after: null }
}

export function readGetPart(listable: Listable, ask: ListParams): { part: PageRequest; cursor: string | null; until: string | null } {
  const {
    order = 'created',
    limit = 10,
    offset = 0,
    starting_after,
    ending_before,
  } = ask as {
    order?: string
    limit?: number
    offset?: number
    starting_after?: string
    ending_before?: string
  }
  const { least, most } = limitsInGet(listable)
  if (limit < least || limit > most) refuse('unacceptable', { field: 'limit', problem: `must be ${least} to ${most}` })
  if (order !== 'created') {
    if (starting_after !== undefined || ending_before !== undefined)
      refuse('precondition', { problem: `starting_after and ending_before cannot be used with order=${order}: use offset` })
    return { part: { on: listable.orders[order]!, towards: 'asc', limit, offset, after: null }, cursor: null, until: null }
  }
  const isBoth = starting_after !== undefined && ending_before !== undefined
  if (isBoth && !listable.between) refuse('precondition', { problem: 'starting_after and ending_before cannot be used together' })
  return {
    part: { on: 'created', towards: isBoth || ending_before === undefined ? 'desc' : 'asc', limit, offset, after: null },
    cursor: starting_after ?? ending_before ?? null,
    until: isBoth ? ending_before : null,
  }
}
