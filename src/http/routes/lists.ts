import Type, { type TProperties, type TSchema } from 'typebox'
import { chooseProfile } from '../../accounts/choose-profile.ts'
import type { Merchant } from '../../accounts/merchant.ts'
import { csvLine } from '../../base/csv.ts'
import type { RowOf, Table } from '../../database/table.ts'
import { exportRows } from '../../lists/export.ts'
import { closedFilters, getShape, postShape, timeRange } from '../../lists/filters.ts'
import { aggregate, facetValues, type ListedResource, type ListScope, listByCursor, listByFilters } from '../../lists/queries.ts'
import type { ListParams } from '../../lists/read-conditions.ts'
import { MOST_READ_TO_COUNT } from '../../lists/row-scan.ts'
import { count, schema, text } from '../answer-shapes.ts'
import { type AnyEntry, type ApiRequest, endpoint } from '../endpoint.ts'
import { narrowedTo, profilesOf } from '../profile-header.ts'

/** A resource whose objects are listed, searched, exported and counted. */
export type ListedObjects<T extends Table> = {
  listed: ListedResource<T>
  /** The resource's plural in paths and titles. */
  path: string
  /** The resource's name in the names of operations: `Payments`. */
  name: string
  item: TSchema
  /** Set if the GET list answers with the bare array, as existing clients expect. */
  bare?: true
  /** Set if all lists of the resource answer `{ size, data, total_count }`. */
  sized?: true
  /** Shows the rows of a page. */
  show(call: ApiRequest<Merchant>, rows: RowOf<T>[], expand?: Expand): Promise<unknown[]> | unknown[]
  /** The query parameters of GET lists that are no filters, but show more, and the members that they add. */
  expand?: { query: TProperties; members: readonly string[] }
  /** Translates a request's filters into those of the list, where a lookup is needed first. */
  resolve?(call: ApiRequest<Merchant>, filters: ListParams): Promise<ListParams>
  /** The filters that dashboards offer: the member of the answer, and the facet. */
  facets: Readonly<Record<string, string>>
  /** The facet that the statuses are, and its values. */
  statuses: { facet?: string; all: readonly string[] }
  /** Where all possible filter values are listed. Under `/v2/filter`, `/filter` lists those in use. */
  choicesAt: '/filter' | '/v2/filter'
  /** A search that succeeds. */
  example: { summary: string; value: Record<string, unknown> }
  /** The default columns of a CSV file. */
  columns: readonly string[]
  /** A file with names of customers needs more than the lists, which are masked. */
  exportPermission: 'payments:read' | 'customers:personal'
}

type Expand = Readonly<Record<string, unknown>>

/** The form of a list: of the merchant, or of one business profile at the path of existing clients. */
type Form = { ofProfile: boolean; at: '' | '/profile'; suffix: string; note: string; scope(call: ApiRequest<Merchant>): ListScope }

const forms: readonly Form[] = [
  {
    ofProfile: false,
    at: '',
    suffix: '',
    note: '',
    scope: call => ({ merchant_id: call.merchant.merchant_id, profiles: profilesOf(call) }),
  },
  {
    ofProfile: true,
    at: '/profile',
    suffix: ' of a profile',
    note: ' Limited to the business profile in X-Profile-Id, or to the only profile.',
    scope: ({ merchant, headers }) => ({
      merchant_id: merchant.merchant_id,
      profiles: [narrowedTo(headers) ?? chooseProfile(merchant, {}).profile_id],
    }),
  },
]

/** Returns the operations that list objects: each for the merchant, and as an alias for a profile. */
export function listOperations<T extends Table>(resource: ListedObjects<T>): AnyEntry[] {
  const inUse = resource.choicesAt === '/v2/filter' ? [valuesInUse] : []
  return [list, search, exportFile, ...inUse, choices, countByStatus].flatMap(operation =>
    forms.map(form => {
      const entry = operation(resource as unknown as ListedObjects<Table>, form)
      return form.ofProfile ? { ...entry, name: `${entry.name}OfProfile`, aliasOf: entry.name } : entry
    }),
  )
}

const reading = { credential: 'secret', permission: 'payments:read', scope: 'profile' } as const

const asSent = async (_call: ApiRequest<Merchant>, filters: ListParams): Promise<ListParams> => filters

type Operation = (resource: ListedObjects<Table>, form: Form) => AnyEntry

const list: Operation = ({ listed, path, name, item, show, resolve = asSent, bare, sized, expand }, { at, suffix, note, scope }) => {
  const filters = getShape(listed)
  return endpoint(`GET /${path}${at}/list`, `list${name}`, {
    title: `List ${path}${suffix}`,
    description: `Lists ${path}, newest first: those after starting_after in that order, or just before ending_before (both exclusive); optionally filtered by time range and other filters. Lists are consistent: they include every change confirmed before the request.${note}`,
    auth: reading,
    query: expand ? { ...filters, properties: { ...filters.properties, ...expand.query } } : filters,
    answers: bare
      ? Type.Array(item)
      : schema(`${name}Page`, { size: count, data: Type.Array(item), ...(sized && { total_count: Type.Null() }) }),
    errors: ['not_found', 'unacceptable'],
    json: async call => {
      const [shown, asked] = parted(call.query as Expand, expand?.query)
      const data = await show(call, await listByCursor(call.context, listed, scope(call), await resolve(call, asked)), shown)
      // There is no total count: counting would cost more than the page.
      return bare ? data : { size: data.length, data, ...(sized && { total_count: null }) }
    },
  })
}

/** Splits a query into the parameters that change how objects are shown, and the filters. */
function parted(query: Expand, expand: TProperties = {}): [Expand, ListParams] {
  const { true: shown = [], false: filters = [] } = Object.groupBy(Object.entries(query), ([name]) => `${Object.hasOwn(expand, name)}`)
  return [Object.fromEntries(shown), Object.fromEntries(filters)]
}

const search: Operation = (
  { listed, path, name, item, show, resolve = asSent, sized, example },
  { ofProfile, at, suffix, note, scope },
) => {
  const needs = ofProfile ? [] : (listed.needs ?? [])
  const size = sized ? 'size' : 'count'
  return endpoint(`POST /${path}${at}/list`, `search${name}`, {
    reads: true,
    title: `Search ${path}${suffix}`,
    description: `Lists one page of the ${path} that match all filters, with the total count. A filter with several values matches any of them.${needs.length > 0 ? ` Required: ${needs.join(', ')}.` : ''}${note}`,
    auth: reading,
    choosesProfile: true,
    body: postShape(listed),
    answers: schema(`${name}Found`, { [size]: count, total_count: count, data: Type.Array(item) }),
    example,
    json: async call => {
      const found = await listByFilters(call.context, { ...listed, needs }, scope(call), await resolve(call, call.body))
      const data = await show(call, found.rows)
      return { [size]: data.length, total_count: found.total_count, data }
    },
  })
}

const exportFile: Operation = (resource, { at, suffix, note, scope }) => {
  const { listed, path, name, item, show, resolve = asSent, expand, columns, exportPermission: permission } = resource
  const members = Object.keys((item as { properties: object }).properties).filter(member => !expand?.members.includes(member))
  return endpoint(`GET /${path}${at}/export`, `export${name}`, {
    title: `Export ${path}${suffix}`,
    description: `Exports all ${path} that match the filters, newest first, as a file: CSV (\`format=csv\`; nested values are JSON, and no cell is a formula) or one JSON object per line (\`format=jsonl\`, complete objects). The file is streamed; if an error occurs, the connection ends before the file is complete.${note}`,
    auth: { credential: 'secret', permission, scope: 'profile' },
    query: Type.Object({ ...withoutPages(getShape(listed).properties), ...fileQuery(members, columns) }, closedFilters(listed)),
    answers: 'text',
    types: fileTypes,
    run: async call => {
      const { format, columns: wanted = columns, ...asked } = call.query as FileAsk
      const rows = exportRows(call.context, listed, scope(call), await resolve(call, asked))
      return fileOf(
        { name: path, format, columns: wanted },
        shownPages(rows, page => show(call, page)),
      )
    },
  })
}

const texts = Type.Array(text)

const valuesInUse: Operation = ({ listed, path, name, facets }, { at, suffix, note, scope }) =>
  endpoint(`POST /${path}${at}/filter`, `filter${name}`, {
    reads: true,
    title: `List the filter values in use for ${path}${suffix}`,
    description: `Lists the filter values that occur in the ${path} of a time range, for use in a dashboard.${note}`,
    auth: reading,
    body: timeRange,
    answers: schema(`${name}Words`, textsOf(facets)),
    example: { summary: 'Since the beginning of the year', value: { start_time: '2026-01-01T00:00:00.000Z' } },
    json: async call => {
      const found = await facetValues(call.context, listed, scope(call), call.body, Object.values(facets))
      return Object.fromEntries(Object.entries(facets).map(([member, facet]) => [member, found[facet]]))
    },
  })

const textsOf = (facets: object): TProperties => Object.fromEntries(Object.keys(facets).map(member => [member, texts]))

const accountChoice = schema('ConnectorAccountChoice', { connector_label: text, merchant_connector_id: text })

const choices: Operation = ({ listed, path, name, facets, choicesAt }, { at, suffix, note, scope }) =>
  endpoint(`GET /${path}${choicesAt.replace('/filter', `${at}/filter`)}`, `filters${name}`, {
    title: `List all filter values for ${path}${suffix}`,
    description: `Lists every possible filter value, and the merchant's connector accounts by connector.${note}`,
    auth: reading,
    answers: schema(`${name}Choices`, { ...textsOf(facets), connector: Type.Record(Type.String(), Type.Array(accountChoice)) }),
    json: call => ({
      ...Object.fromEntries(Object.keys(facets).map(member => [member, choicesOf(listed, member)])),
      connector: accountsOf(call.merchant, scope(call).profiles),
    }),
  })

function choicesOf(listed: ListedResource, member: string): readonly unknown[] {
  const { shape, means } = listed.filters[member]!
  const all = (shape as { enum?: readonly string[] }).enum ?? []
  return means ? [...new Set(all.map(means))] : all
}

function accountsOf({ connectorAccounts }: Merchant, profiles: ListScope['profiles']): Record<string, object[]> {
  const accounts: Record<string, object[]> = {}
  for (const { connector_name, connector_label, merchant_connector_id, profile_id } of connectorAccounts) {
    if (!(profiles?.includes(profile_id) ?? true)) continue
    accounts[connector_name] = [...(accounts[connector_name] ?? []), { connector_label, merchant_connector_id }]
  }
  return accounts
}

/** Counts with the filters of the GET list, so that a dashboard's counts are those of its list. */
const countByStatus: Operation = ({ listed, path, name, resolve = asSent, statuses }, { ofProfile, at, note, scope }) =>
  endpoint(`GET /${path}${at}/aggregate`, `aggregate${name}`, {
    title: `Count ${path} by status${ofProfile ? ' for a profile' : ''}`,
    description: `Counts the ${path} of a time range by status, those that match the filters of the GET list. A filter without an index counts in the last ${MOST_READ_TO_COUNT.toLocaleString('en')} objects of the range, and is refused in a longer one.${note}`,
    auth: reading,
    query: Type.Object({ ...withoutPages(getShape(listed).properties), ...timeRange.properties }, closedFilters(listed)),
    answers: schema(`${name}Counted`, {
      status_with_count: schema(`${name}ByStatus`, Object.fromEntries(statuses.all.map(status => [status, count]))),
    }),
    errors: ['unacceptable'],
    json: async call => {
      const { facet = 'status', all } = statuses
      return { status_with_count: await aggregate(call.context, listed, scope(call), await resolve(call, call.query), facet, all) }
    },
  })

const paging = ['limit', 'offset', 'order', 'starting_after', 'ending_before']

/** Returns the query parameters of a GET list that narrow it, without those of pages and orders. */
export const withoutPages = (query: TProperties): TProperties =>
  Object.fromEntries(Object.entries(query).filter(([name]) => !paging.includes(name)))

const formats = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' } as const
type Format = keyof typeof formats

export const formatShape = Type.Optional(Type.Enum(Object.keys(formats) as Format[]))
export const fileTypes = Object.values(formats).map(type => type.split(';')[0]!)

/** The query parameters of a file. `columns`: those of a CSV file by default. */
export const fileQuery = (members: readonly string[], columns: readonly string[]): TProperties => ({
  format: formatShape,
  columns: Type.Optional(Type.Array(Type.Enum([...members]), { description: `Columns of a CSV file; default ${columns.join(', ')}` })),
})
export type FileAsk = { format?: Format; columns?: string[] }

/** Returns the pages of a file as the API shows their rows. */
export async function* shownPages<Row>(
  pages: AsyncIterable<Row[]>,
  show: (page: Row[]) => Promise<unknown[]> | unknown[],
): AsyncGenerator<object[]> {
  for await (const page of pages) yield (await show(page)) as object[]
}

/** Streams a file while its pages are read: the first before the answer begins, so that a refusal gets its status. */
export async function fileOf<Row extends object>(
  { name, format = 'csv', columns }: { name: string; format?: Format | undefined; columns: readonly string[] },
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
