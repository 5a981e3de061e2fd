import Type, { type TProperties, type TSchema } from 'typebox'
import { chooseProfile } from '../../accounts/choose-profile.ts'
import type { Merchant } from '../../accounts/merchant.ts'
import { csvLine } from '../../base/csv.ts'
import type { RowOf, Table } from '../../database/table.ts'
import { everyOne } from '../../lists/export.ts'
import { closedFilters, getShape, postShape, timeRange } from '../../lists/filters.ts'
import { aggregate, facetValues, type ListedResource, type ListScope, listByCursor, listByFilters } from '../../lists/queries.ts'
import type { ListParams } from '../../lists/read.ts'
import { MOST_READ_TO_COUNT } from '../../lists/row-scan.ts'
import { count, schema, text } from '../answer-shapes.ts'
import { type AnyEntry, endpoint, type MerchantCall } from '../endpoint.ts'
import { narrowedTo, profilesOf } from '../profile-header.ts'

/** The form of a resource's lists on the wire. `items`: shows the rows of a page. */
export type Wire<T extends Table> = {
  listed: ListedResource<T>
  /** The resource's plural in paths and titles. */
  path: string
  /** The resource's name in the names of operations: `Payments`. */
  name: string
  item: TSchema
  /** Set if the GET list answers with the bare array, as existing clients expect. */
  bare?: true
  items(call: MerchantCall, rows: RowOf<T>[], how?: How): Promise<unknown[]> | unknown[]
  /** The query parameters that change how GET lists show objects, and the members that they add. */
  shows?: { how: TProperties; adds: readonly string[] }
  /** Translates a request's filters into those of the list, where a lookup is needed first. */
  asked?(call: MerchantCall, ask: ListParams): Promise<ListParams>
  /** The filters that dashboards offer: the member of the answer, and the facet. */
  offered: Readonly<Record<string, string>>
  /** Set if all lists of the resource answer `{ size, data, total_count }`. */
  sized?: true
}

/** The query parameters that change how objects are shown; they are no filters. */
type How = Readonly<Record<string, unknown>>

/**
 * Returns the rows of a list's profile variant: those of the profile in the header X-Profile-Id, else of the
 * merchant's only profile.
 */
const ofProfile = (call: MerchantCall): ListScope => ({
  merchant_id: call.merchant.merchant_id,
  profiles: [narrowedTo(call.headers) ?? chooseProfile(call.merchant, {}).profile_id],
})
const ofMerchant = (call: MerchantCall): ListScope => ({ merchant_id: call.merchant.merchant_id, profiles: profilesOf(call) })

const variants = [
  { of: '', scope: ofMerchant, note: '' },
  { of: '/profile', scope: ofProfile, note: ' Limited to the business profile in X-Profile-Id, or to the only profile.' },
] as const

const reading = { credential: 'secret', permission: 'payments:read', scope: 'profile' } as const

/** Returns the entries of a list: of the merchant, and the alias of existing clients for one profile. */
const inBothForms = (entryOf: (variant: (typeof variants)[number]) => AnyEntry): AnyEntry[] =>
  variants.map(variant => {
    const entry = entryOf(variant)
    return variant.of === '' ? entry : { ...entry, name: `${entry.name}OfProfile`, aliasOf: entry.name }
  })

const asIs = async (_: MerchantCall, ask: ListParams): Promise<ListParams> => ask

/** Returns the operations `GET /…/list`: with cursors, `{ size, data }`. */
export function getLists<T extends Table>({ listed, path, name, item, items, asked = asIs, bare, sized, shows }: Wire<T>): AnyEntry[] {
  const filters = getShape(listed)
  const query = shows ? { ...filters, properties: { ...filters.properties, ...shows.how } } : filters
  // These lists have no total count: counting would cost more than the page.
  const more = sized ? { total_count: Type.Null() } : {}
  return inBothForms(({ of, scope, note }) =>
    endpoint(`GET /${path}${of}/list`, `list${name}`, {
      title: `List ${path}${of === '' ? '' : ' of a profile'}`,
      description: `Lists ${path}, newest first: those after starting_after in that order, or just before ending_before (both exclusive); optionally filtered by time range and other filters. Lists are consistent: they include every change confirmed before the request.${note}`,
      auth: reading,
      query,
      answers: bare ? Type.Array(item) : schema(`${name}Page`, { size: count, data: Type.Array(item), ...more }),
      errors: ['not_found', 'unacceptable', 'precondition', 'malformed'],
      json: async call => {
        const [how, ask] = parted(call.query as How, shows?.how)
        const data = await items(call, await listByCursor(call.context, listed, scope(call), await asked(call, ask)), how)
        return bare ? data : { size: data.length, data, ...(sized && { total_count: null }) }
      },
    }),
  )
}

/** Splits a query into the parameters that change how objects are shown, and the filters. */
function parted(query: How, how: TProperties = {}): [How, ListParams] {
  const { true: showing = [], false: filters = [] } = Object.groupBy(Object.entries(query), ([name]) => `${Object.hasOwn(how, name)}`)
  return [Object.fromEntries(showing), Object.fromEntries(filters)]
}

/** Returns the operations `POST /…/list`: by filters, `{ count, total_count, data }`. */
export function postLists<T extends Table>(
  { listed, path, name, item, items, asked = asIs, sized }: Wire<T>,
  example: { summary: string; value: Record<string, unknown> },
): AnyEntry[] {
  const needs = listed.needs ?? []
  return inBothForms(({ of, scope, note }) =>
    endpoint(`POST /${path}${of}/list`, `search${name}`, {
      reads: true,
      title: `Search ${path}${of === '' ? '' : ' of a profile'}`,
      description: `Lists one page of the ${path} that match all filters, with the total count. A filter with several values matches any of them.${of === '' && needs.length > 0 ? ` Required: ${needs.join(', ')}.` : ''}${note}`,
      auth: reading,
      choosesProfile: true,
      body: postShape(listed),
      answers: schema(`${name}Found`, { [sized ? 'size' : 'count']: count, total_count: count, data: Type.Array(item) }),
      errors: ['unacceptable', 'malformed', ...(of === '' && needs.length > 0 ? (['missing', 'several_missing'] as const) : [])],
      example,
      json: async call => {
        const searched = of === '' ? listed : { ...listed, needs: [] }
        const { rows, total_count } = await listByFilters(call.context, searched, scope(call), await asked(call, call.body))
        const data = await items(call, rows)
        return { [sized ? 'size' : 'count']: data.length, total_count, data }
      },
    }),
  )
}

const texts = Type.Array(text)

/**
 * Returns the operations that list filter values for dashboards: the values that occur in a time range (POST), and all
 * possible values, with the merchant's accounts by connector (GET).
 */
export const filterLists = <T extends Table>(wire: Wire<T>): AnyEntry[] => [...presentLists(wire), ...choiceLists(wire, '/v2')]

function presentLists<T extends Table>({ listed, path, name, offered }: Wire<T>): AnyEntry[] {
  const facets = Object.values(offered)
  return inBothForms(({ of, scope, note }) =>
    endpoint(`POST /${path}${of}/filter`, `filter${name}`, {
      reads: true,
      title: `List the filter values in use for ${path}${of === '' ? '' : ' of a profile'}`,
      description: `Lists the filter values that occur in the ${path} of a time range, for use in a dashboard.${note}`,
      auth: reading,
      body: timeRange,
      answers: schema(`${name}Words`, shapesOf(offered)),
      errors: ['malformed'],
      example: { summary: 'Since the beginning of the year', value: { start_time: '2026-01-01T00:00:00.000Z' } },
      json: async call => {
        const found = await facetValues(call.context, listed, scope(call), call.body, facets)
        return Object.fromEntries(Object.entries(offered).map(([member, facet]) => [member, found[facet]]))
      },
    }),
  )
}

const shapesOf = (offered: Wire<Table>['offered']): TProperties => Object.fromEntries(Object.keys(offered).map(member => [member, texts]))

/** Returns the operations that list all possible filter values. `at`: their place among the paths of the resource. */
export function choiceLists<T extends Table>({ listed, path, name, offered }: Wire<T>, at: string): AnyEntry[] {
  const account = schema('ConnectorAccountChoice', { connector_label: text, merchant_connector_id: text })
  return inBothForms(({ of, scope, note }) =>
    endpoint(`GET /${path}${at}${of}/filter`, `filters${name}`, {
      title: `List all filter values for ${path}${of === '' ? '' : ' of a profile'}`,
      description: `Lists every possible filter value, and the merchant's connector accounts by connector.${note}`,
      auth: reading,
      answers: schema(`${name}Choices`, { ...shapesOf(offered), connector: Type.Record(Type.String(), Type.Array(account)) }),
      json: async call => {
        const { profiles } = scope(call)
        const choices = Object.keys(offered).map(member => [member, choicesOf(listed, member)])
        return { ...Object.fromEntries(choices), connector: accountsOf(call.merchant, profiles) }
      },
    }),
  )
}

/** Returns every possible value of a filter. */
function choicesOf(listed: ListedResource, member: string): readonly unknown[] {
  const { shape, means } = listed.filters[member]!
  const all = (shape as { enum?: readonly string[] }).enum ?? []
  return means ? [...new Set(all.map(means))] : all
}

function accountsOf(merchant: Merchant, profiles: ListScope['profiles']): Record<string, object[]> {
  const accounts: Record<string, object[]> = {}
  for (const { connector_name, connector_label, merchant_connector_id, profile_id } of merchant.connectorAccounts) {
    if (!(profiles?.includes(profile_id) ?? true)) continue
    accounts[connector_name] = [...(accounts[connector_name] ?? []), { connector_label, merchant_connector_id }]
  }
  return accounts
}

/** Returns the query parameters of a GET list that narrow it, without those of pages and orders. */
function filtersIn(listed: ListedResource): TProperties {
  const {
    limit: _limit,
    offset: _offset,
    order: _order,
    starting_after: _after,
    ending_before: _before,
    ...filters
  } = getShape(listed).properties
  return filters
}

/**
 * Returns the operations `GET /…/aggregate`: the number of objects by status, with the filters of the GET list, so that
 * a dashboard's counts are those of its list.
 */
export function aggregateLists<T extends Table>(
  { listed, path, name, asked = asIs }: Wire<T>,
  statuses: readonly string[],
  facet = 'status',
): AnyEntry[] {
  return inBothForms(({ of, scope, note }) =>
    endpoint(`GET /${path}${of}/aggregate`, `aggregate${name}`, {
      title: `Count ${path} by status${of === '' ? '' : ' for a profile'}`,
      description: `Counts the ${path} of a time range by status, those that match the filters of the GET list. A filter without an index counts in the last ${MOST_READ_TO_COUNT.toLocaleString('en')} objects of the range, and is refused in a longer one.${note}`,
      auth: reading,
      query: Type.Object({ ...filtersIn(listed), ...timeRange.properties }, closedFilters(listed)),
      answers: schema(`${name}Counted`, {
        status_with_count: schema(`${name}ByStatus`, Object.fromEntries(statuses.map(status => [status, count]))),
      }),
      errors: ['malformed', 'unacceptable'],
      json: async call => {
        const ask = await asked(call, call.query)
        return { status_with_count: await aggregate(call.context, listed, scope(call), ask, facet, statuses) }
      },
    }),
  )
}

const formats = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' } as const
export type Format = keyof typeof formats

export const formatShape = Type.Optional(Type.Enum(Object.keys(formats) as Format[]))
export const fileTypes = Object.values(formats).map(type => type.split(';')[0]!)

/**
 * Returns a file that is streamed while its pages are read. The first page is read before the answer begins, so that a
 * refusal still gets its status.
 */
export async function fileOf<Row extends object>(
  { name, format = 'csv', columns }: { name: string; format?: Format; columns: readonly string[] },
  pages: AsyncGenerator<Row[]>,
) {
  const first = await pages.next()
  const line =
    format === 'csv'
      ? (one: Row) => csvLine(columns.map(column => (one as Record<string, unknown>)[column]))
      : (one: Row) => `${JSON.stringify(one)}\n`
  async function* parts(): AsyncGenerator<string> {
    if (format === 'csv') yield csvLine(columns)
    for (let page = first; !page.done; page = await pages.next()) yield page.value.map(line).join('')
  }
  return { parts: parts(), type: formats[format], name: `${name}.${format}` }
}

/**
 * Returns the operations `GET /…/export`: a file of all objects that match the filters. `columns`: the default columns
 * of a CSV file. `permission`: a file with names of customers needs more than its lists, which are masked.
 */
export function exportLists<T extends Table>(
  { listed, path, name, item, items, asked = asIs, shows }: Wire<T>,
  columns: readonly string[],
  permission: 'payments:read' | 'customers:personal',
): AnyEntry[] {
  const filters = filtersIn(listed)
  const members = Object.keys((item as { properties: object }).properties).filter(member => !shows?.adds.includes(member))
  const chosen = Type.Array(Type.Enum(members), { description: `Columns of a CSV file; default ${columns.join(', ')}` })
  return inBothForms(({ of, scope, note }) =>
    endpoint(`GET /${path}${of}/export`, `export${name}`, {
      title: `Export ${path}${of === '' ? '' : ' of a profile'}`,
      description: `Exports all ${path} that match the filters, newest first, as a file: CSV (\`format=csv\`; nested values are JSON, and no cell is a formula) or one JSON object per line (\`format=jsonl\`, complete objects). The file is streamed; if an error occurs, the connection ends before the file is complete.${note}`,
      auth: { credential: 'secret', permission, scope: 'profile' },
      query: Type.Object({ ...filters, format: formatShape, columns: Type.Optional(chosen) }, closedFilters(listed)),
      answers: 'text',
      types: fileTypes,
      errors: ['malformed', ...(of === '' ? [] : (['missing'] as const))],
      run: async call => {
        const { format, columns: wanted = columns, ...ask } = call.query as { format?: Format; columns?: string[] }
        const rows = everyOne(call.context, listed, scope(call), await asked(call, ask))
        async function* shown(): AsyncGenerator<Record<string, unknown>[]> {
          for await (const page of rows) yield (await items(call, page)) as Record<string, unknown>[]
        }
        return fileOf({ name: path, ...(format && { format }), columns: wanted }, shown())
      },
    }),
  )
}
