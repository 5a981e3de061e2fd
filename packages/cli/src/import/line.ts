import { isPast } from './checks.ts'
import { CARD, type Kind, type Shape, type Source, shapes, TOKEN } from './shapes.ts'

/** A line of the file: its cells by column. */
export type Line = { line: number; cells: Readonly<Record<string, string>>; problem?: string }

type Members = { [name: string]: unknown }

/**
 * The customer and the card of a line, as they are sent. `customer` is null if the line has only the customer's id.
 */
export type Wanted = { customer_id: string; customer: Members | null; card: Members | null; is_default: boolean }

/** The reason why a line is refused, with the column that causes the refusal, if there is one. */
export type Problem = { field: string | null; message: string }

function put(into: Members, [name, ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    into[name!] = value
    return
  }
  into[name!] ??= {}
  put(into[name!] as Members, rest, value)
}

/** Collects the members to send from the cells of a line, and the problems of the cells. */
function gather({ columns, metadata }: Shape, kind: Kind, cells: Line['cells']): { all: Members; problems: Problem[] } {
  const all: Members = {}
  const problems: Problem[] = []
  const has = (path: string) => Object.entries(columns).some(([name, { to }]) => to.includes(path) && Boolean(cells[name]?.trim()))
  const isOf = has(`${TOKEN}.network_token_number`) && !has(CARD) ? 'of a token' : 'of a card'
  for (const [name, { to, needed, is }] of Object.entries(columns)) {
    const text = cells[name]?.trim() ?? ''
    const goes = to.filter(path => kind === 'cards' || !path.startsWith('card.'))
    if (goes.length === 0) continue
    // A line with both a card number and a network token is imported as a card; its token columns are ignored.
    if (isOf === 'of a card' ? needed === 'of a token' : needed === 'of a card') continue
    if (text === '') {
      if (needed) problems.push({ field: name, message: `${name} is missing` })
      continue
    }
    const wrong = is?.(text)
    if (wrong) problems.push({ field: name, message: `${name} ${wrong}` })
    for (const path of goes) put(all, path.split('.'), text)
  }
  const keys = Object.entries(cells).flatMap(([name, text]): [string, string][] => {
    const key = metadata?.column.exec(name)?.slice(1).find(Boolean)
    return key === undefined || text === '' ? [] : [[key, text]]
  })
  if (metadata && keys.length > 0) put(all, metadata.to.split('.'), Object.fromEntries(keys))
  return { all, problems }
}

/** Connector accounts of the file, with their accounts in this deployment; `*` stands for all accounts. */
export type Accounts = ReadonlyMap<string, string>

/**
 * Returns the processor's own id of the saved card, by the connector account that it belongs to. Returns a problem if
 * that account is not known.
 */
function keptAt(at: Members, source: Source, customer_id: string, accounts: Accounts): Members | Problem | null {
  const { account, connector_mandate_id, connector_customer_id } = at
  if (connector_mandate_id === undefined) {
    const field = 'connector_mandate_id'
    return source === 'csv' && account !== undefined
      ? { field, message: `${field} is missing: what does the account call the card?` }
      : null
  }
  const here = accounts.get(String(account)) ?? accounts.get('*') ?? (source === 'csv' ? account : undefined)
  // At Stripe a card belongs to a customer, and a charge names both.
  const customer = source === 'stripe' ? customer_id : connector_customer_id
  if (here !== undefined)
    return { [String(here)]: { connector_mandate_id, ...(customer !== undefined && { connector_customer_id: customer }) } }
  if (source === 'stripe') return null
  const field = 'merchant_connector_id'
  if (account === undefined) return { field, message: `${field} is missing: which account has this name for the card?` }
  return { field, message: `${field} is an account of another deployment: --account OLD=NEW says which one it is here` }
}

const isProblem = (one: Members | Problem): one is Problem => 'message' in one

type Token = { network_token_data: Record<string, string> }

/** Returns the expiry of the card or network token: the path of the year's member, the month, and the year. */
function expiryOf(members: Members): [place: string, month: string, year: string] {
  const { card, network_token } = members as { card: Record<string, string>; network_token?: Token }
  if (!network_token) return ['card.card.card_exp_year', card.card_exp_month!, card.card_exp_year!]
  const { network_token_exp_month: month, network_token_exp_year: year } = network_token.network_token_data
  return [`${TOKEN}.network_token_exp_year`, month!, year!]
}

/**
 * Returns the members as they are sent. On a line with only a network token, the holder and network belong to the
 * token.
 */
function asSent({ card, ...members }: Members): Members {
  const token = members.network_token as Token | undefined
  if (!token) return { card, ...members }
  return { ...members, network_token: { ...token, network_token_data: { ...(card as object | undefined), ...token.network_token_data } } }
}

/**
 * Returns the members to send for a line, or the problems for which the line is refused. `now` is in milliseconds
 * since 1970.
 */
export function wantedOf(kind: Kind, source: Source, { cells, problem }: Line, accounts: Accounts, now: number): Wanted | Problem[] {
  if (problem !== undefined) return [{ field: null, message: problem }]
  const shape = shapes[source][kind]
  const { all, problems } = gather(shape, kind, cells)
  const { customer, card = null, at = {} } = all as { customer?: Members; card?: Members | null; at?: Members }
  if (kind === 'cards' && problems.length === 0) {
    const [place, month, year] = expiryOf(card!)
    const column = Object.entries(shape.columns).find(([, { to }]) => to.includes(place))![0]
    if (isPast(month, year, now)) problems.push({ field: column, message: `${column}: the card has expired` })
  }
  if (problems.length > 0) return problems
  const customer_id = String(customer!.customer_id)
  if (kind === 'customers') return { customer_id, customer: customer!, card: null, is_default: false }
  const kept = keptAt(at, source, customer_id, accounts)
  if (kept !== null && isProblem(kept)) return [kept]
  const isToken = card!.network_token !== undefined
  if (isToken && (kept !== null || card!.network_transaction_id === undefined)) {
    const field = columnOf(kind, source, kept === null ? 'card.network_transaction_id' : 'at.connector_mandate_id')
    const fault = kept === null ? 'is missing' : 'cannot be imported with a network token'
    return [{ field, message: `${field} ${fault}: a network token is charged by the network's id of its first payment` }]
  }
  const { is_default, default_source } = all
  return {
    customer_id,
    customer: Object.keys(customer!).length > 1 ? customer! : null,
    card: { ...asSent(card!), ...(kept !== null && { connector_mandate_details: kept }) },
    is_default: String(is_default).toLowerCase() === 'true' || (default_source !== undefined && default_source === at.connector_mandate_id),
  }
}

/** Returns the column from which a sent member came. The service names the member in an error. */
export function columnOf(kind: Kind, source: Source, member: string): string | null {
  const found = Object.entries(shapes[source][kind].columns).find(([, { to }]) =>
    to.some(path => path === member || path.slice(path.indexOf('.') + 1) === member),
  )
  return found?.[0] ?? null
}
