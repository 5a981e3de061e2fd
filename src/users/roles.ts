/** A cell: `yes`, `no`, or `test` (in test mode only). Each operation names its permission (`http/auth.ts`). */

export const roles = ['owner', 'admin', 'developer', 'operator', 'viewer'] as const
export type Role = (typeof roles)[number]

type Cell = 'yes' | 'no' | 'test'
type Cells = readonly [Cell, Cell, Cell, Cell, Cell]

const row = (description: string, ...cells: Cells) => ({ description, cells })

/** Cells: owner, admin, developer, operator, viewer. */
const table = {
  'payments:read': row('See payments, refunds, disputes, payouts, customers', 'yes', 'yes', 'yes', 'yes', 'yes'),
  'customers:personal': row(
    'See names, e-mail addresses, telephone numbers and addresses of customers, and export them',
    'yes',
    'yes',
    'no',
    'yes',
    'no',
  ),
  'analytics:read': row('See figures', 'yes', 'yes', 'yes', 'yes', 'yes'),
  'ledger:read': row('See the ledger and what processors have settled', 'yes', 'yes', 'yes', 'yes', 'yes'),
  'ledger:write': row('Take settlement reports, resolve differences, close books', 'yes', 'yes', 'test', 'yes', 'no'),
  'payments:write': row('Create, capture, cancel, refund, ask the processor', 'yes', 'yes', 'test', 'yes', 'no'),
  'payouts:write': row('Create, confirm, fulfill and cancel payouts', 'yes', 'yes', 'no', 'yes', 'no'),
  'disputes:write': row('Answer and accept disputes', 'yes', 'yes', 'no', 'yes', 'no'),
  'routing:read': row('See routing rules', 'yes', 'yes', 'yes', 'yes', 'no'),
  'routing:simulate': row('Simulate routing rules', 'yes', 'yes', 'yes', 'yes', 'no'),
  'routing:write': row('Edit routing rules', 'yes', 'yes', 'yes', 'no', 'no'),
  'routing:activate': row('Activate routing rules, change the fallback order', 'yes', 'yes', 'test', 'no', 'no'),
  'blocklist:read': row('See the blocklist', 'yes', 'yes', 'yes', 'yes', 'no'),
  'blocklist:write': row('Block and unblock', 'yes', 'yes', 'test', 'yes', 'no'),
  'connectors:health': row('See the health of connector accounts', 'yes', 'yes', 'yes', 'yes', 'yes'),
  'connectors:read': row('See the settings of connector accounts', 'yes', 'yes', 'yes', 'no', 'no'),
  'connectors:write': row('Change connector accounts and their credentials', 'yes', 'yes', 'test', 'no', 'no'),
  'api_keys:read': row('See API keys, never the keys themselves', 'yes', 'yes', 'yes', 'no', 'no'),
  'api_keys:write': row('Create, change and revoke API keys', 'yes', 'yes', 'yes', 'no', 'no'),
  'webhooks:read': row('See webhook endpoints', 'yes', 'yes', 'yes', 'yes', 'no'),
  'webhooks:write': row('Change webhook endpoints', 'yes', 'yes', 'yes', 'no', 'no'),
  'webhooks:replay': row('Send webhooks again', 'yes', 'yes', 'yes', 'yes', 'no'),
  'logs:read': row('See requests, events and exchanges with processors', 'yes', 'yes', 'yes', 'yes', 'no'),
  'profiles:read': row('See business profiles', 'yes', 'yes', 'yes', 'yes', 'no'),
  'profiles:write': row('Change business profiles', 'yes', 'yes', 'no', 'no', 'no'),
  'merchant:read': row('See the merchant account', 'yes', 'yes', 'yes', 'yes', 'yes'),
  'merchant:delete': row('Delete the merchant account', 'yes', 'no', 'no', 'no', 'no'),
  'users:read': row('See the people of the merchant', 'yes', 'yes', 'no', 'no', 'no'),
  'users:write': row('Invite people, change their roles; owners only by owners', 'yes', 'yes', 'no', 'no', 'no'),
  'audit:own': row('See what one has changed oneself', 'yes', 'yes', 'yes', 'yes', 'no'),
  'audit:read': row('See what everybody has changed', 'yes', 'yes', 'no', 'no', 'no'),
} as const satisfies Record<string, { description: string; cells: Cells }>

/** `deployment`: no role has it; it follows from a flag of the user. */
export type Permission = keyof typeof table | 'deployment'

export const permissions = Object.keys(table) as (keyof typeof table)[]

export const permissionDescription = (permission: keyof typeof table): string => table[permission].description

/** For the merchant as a whole: a role that is limited to some profiles does not have these. */
const ofWhole: ReadonlySet<string> = new Set<keyof typeof table>([
  'blocklist:read',
  'blocklist:write',
  'api_keys:read',
  'api_keys:write',
  'merchant:delete',
  'users:read',
  'users:write',
  'audit:read',
])

const sets = new Map<string, ReadonlySet<Permission>>()

/** `holds`: for the whole merchant, or limited to some of its profiles. */
export function permissionsOf(role: Role, mode: 'test' | 'live', holds: 'merchant' | 'profiles' = 'merchant'): ReadonlySet<Permission> {
  const name = `${role} ${mode} ${holds}`
  let found = sets.get(name)
  if (!found) {
    const has = (cell: Cell) => cell === 'yes' || (cell === 'test' && mode === 'test')
    const isIn = (permission: string) => holds === 'merchant' || !ofWhole.has(permission)
    found = new Set(permissions.filter(permission => isIn(permission) && has(table[permission].cells[roles.indexOf(role)]!)))
    sets.set(name, found)
  }
  return found
}
