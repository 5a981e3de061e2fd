/**
 * The access that the documentation of roles promises (docs/design/roles-and-audit.md, `GET /roles`), by resource and
 * verb: the permission that a person or a key with scopes needs, and whether a role for some profiles is enough.
 * Written from the meaning, not from the entries of operations: the grids of roles, profiles and masking compare the
 * service with it.
 */

export type Right = { permission: string | null; scope: 'profile' | 'merchant' | 'own' | 'deployment' }

/**
 * A line has the permission, the scope, and routes; `*` stands for any method, or any rest of a path. The first line
 * that has an operation counts.
 */
const lines = `
  Pages and checkouts: a person has no business there. Credentials of browsers, links and processors.
  nobody: GET /payments/{payment_id}/{merchant_id}/*, POST /payments/{payment_id}/{merchant_id}/*, GET /payments/redirect/*,
    POST /payments/{payment_id}/3ds/authentication, GET /payments/{payment_id}/client, GET /payouts/{payout_id}/client, GET /poll/*,
    GET /payment_link/{merchant_id}/{payment_id}, GET /payment_link/s/*, GET /payout_link/*, GET /v1/sdk/*, * /webhooks/*,
    GET /payment_methods/collect/*, POST /payment_methods/collect/{merchant_id}/*, GET /health, GET /health/ready, GET /feature_matrix,
    GET /deployment
  Signing in comes before any permission.
  nobody: POST /user/sign_in*, POST /user/first, POST /user/invite/accept, POST /user/password/*, GET /user/sso*, POST /user/device,
    POST /user/device/token

  A person's own account.
  own: GET /user, POST /user, POST /user/sign_out, POST /user/merchant, POST /user/password, * /user/totp, * /user/passkeys*, * /user/sessions*,
    POST /user/device/retrieve, POST /user/device/deny, DELETE /user/device, GET /roles

  The team is the whole merchant's, as is the rule that asks for a second person. A command line gets a key.
  users:read merchant: GET /user/list
  deployment: POST /user/link
  users:write merchant: POST /user/invite, * /user/{user_id}, POST /approvals/settings
  api_keys:write merchant: POST /user/device/approve

  The operator of the deployment: accounts, configurations, jobs, and results set by hand.
  deployment: PUT /payments/{payment_id}/manual-update, PUT /refunds/{refund_id}/manual-update, * /organization*, POST /accounts, GET /accounts/list,
    POST /accounts/{merchant_id}, * /accounts/{merchant_id}/kv, * /configs*, * /jobs*, GET /deployment/database
  merchant:read profile: GET /accounts/{merchant_id}
  merchant:delete merchant: DELETE /accounts/{merchant_id}

  Error rules are the operator's; merchants read them.
  routing:read profile: POST /gsm/get, GET /gsm/list
  deployment: POST /gsm*

  Names of customers that leave in files. Refunds and disputes have none.
  customers:personal profile: GET /payments/export, GET /payments/profile/export, GET /payouts/export, GET /payouts/profile/export, GET /files/{file_id}
  customers:personal merchant: GET /customers/export

  Exchanges with processors are logs; the card of a payment is worth as much as a payment.
  logs:read profile: GET /payments/{payment_id}/operations/{request_id}/exchanges, GET /payouts/{payout_id}/operations/{request_id}/exchanges
  payments:write profile: GET /payments/{payment_id}/extended_card_info

  Payments, refunds, payouts, disputes: questions by POST only read. To ask the processor is to write, for it may move a status.
  payments:read profile: GET /payments*, POST /payments/list, POST /payments/filter, POST /payments/profile/*, GET /payment_link/{payment_link_id},
    GET /refunds*, POST /refunds/list, POST /refunds/filter, POST /refunds/profile/*
  payments:write profile: * /payments*, * /refunds*
  payments:read profile: GET /payouts*, POST /payouts/list, POST /payouts/filter, POST /payouts/profile/*
  payouts:write profile: * /payouts*
  disputes:write profile: GET /disputes/{connector_id}/fetch, GET /disputes/{dispute_id}/draft
  payments:read profile: GET /disputes*, POST /disputes/list, POST /disputes/profile/*
  disputes:write profile: * /disputes*, * /files*
  payments:read profile: GET /approvals*, GET /search
  payments:write profile: POST /approvals/{approval_id}/*

  Customers, what is saved of them, and mandates are the merchant's. So is sample data.
  payments:read merchant: GET /customers*, GET /payment_methods*, GET /account/payment_methods, GET /cards/*, GET /mandates*, GET /sample_data/*
  payments:write merchant: * /customers*, * /payment_methods*, POST /{customer_id}/payment_methods/*, POST /mandates/*, POST /sample_data, * /ephemeral_keys*

  Figures, the ledger, logs, the audit log. A request may be about several profiles.
  analytics:read profile: POST /analytics/*, GET /attention
  ledger:read profile: GET /ledger/*
  ledger:read merchant: GET /reconciliation/bank_entries
  ledger:write profile: POST /reconciliation/*
  ledger:read profile: GET /reconciliation/*
  logs:read merchant: GET /logs*
  audit:own profile: GET /audit

  Events and webhooks. A listener receives the events of all profiles.
  webhooks:replay profile: POST /events/{merchant_id}/{event_id}/retry, POST /webhook_endpoints/{endpoint_id}/replay, POST /webhook_endpoints/{endpoint_id}/test
  logs:read profile: GET /events*, POST /events/{merchant_id}, POST /events/profile/list
  webhooks:read profile: GET /webhook_endpoints*, GET /event_listeners
  webhooks:write profile: * /webhook_endpoints*
  webhooks:replay merchant: * /event_listeners*

  Keys and the blocklist are the whole merchant's.
  api_keys:read merchant: GET /api_keys*
  api_keys:write merchant: * /api_keys*
  blocklist:read merchant: GET /blocklist*
  blocklist:write merchant: * /blocklist*

  Routing. Results of payments elsewhere count for all profiles.
  routing:simulate profile: POST /routing/evaluate, POST /routing/simulate, POST /routing/rule/evaluate
  routing:write merchant: POST /routing/feedback
  routing:read profile: GET /routing*
  routing:activate profile: POST /routing/{routing_algorithm_id}/activate, POST /routing/payouts/{routing_algorithm_id}/activate, POST /routing/deactivate,
    POST /routing/payouts/deactivate, POST /routing/default*, POST /routing/payouts/default*,
    POST /account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/set_volume_split,
    POST /account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/success_based/toggle,
    POST /account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/elimination/toggle,
    POST /account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/contracts/toggle
  routing:write profile: POST /routing, POST /routing/payouts, * /account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/*

  Accounts at processors: every role sees how they are, developers how they are set up.
  connectors:health profile: GET /connectors, GET /account/{merchant_id}/connectors/health
  connectors:read profile: GET /account/{merchant_id}/connectors*, GET /account/{merchant_id}/profile/connectors
  connectors:write profile: * /account/{merchant_id}/connectors*, POST /account/{merchant_id}/webhooks/*, POST /account/connectors/verify

  Business profiles: a role for some of them neither adds one nor deletes one.
  profiles:write merchant: POST /account/{merchant_id}/business_profile, DELETE /account/{merchant_id}/business_profile/{profile_id}
  profiles:read profile: GET /account/{merchant_id}/business_profile*, GET /account/{merchant_id}/profile
  profiles:write profile: POST /account/{merchant_id}/business_profile/*
`

/** Answers whose names and addresses are not those of customers, but of the team, keys, accounts and their history. */
const ofOthers =
  '* /user*, GET /roles, * /api_keys*, * /ephemeral_keys*, * /accounts*, * /organization*, GET /connectors, POST /account/connectors/verify, GET /audit, GET /logs*, * /account/{merchant_id}/connectors*, * /account/{merchant_id}/webhooks*, * /account/{merchant_id}/profile*, POST /account/{merchant_id}/business_profile, GET /account/{merchant_id}/business_profile*, * /account/{merchant_id}/business_profile/{profile_id}, POST /account/{merchant_id}/business_profile/{profile_id}/toggle_*'

type Route = { method: string; path: string }

const fits = (pattern: string, { method, path }: Route): boolean => {
  const [verb, rest = ''] = pattern.trim().split(' ')
  if (verb !== '*' && verb !== method) return false
  return rest.endsWith('*') ? path.startsWith(rest.slice(0, -1)) : path === rest
}
const fitsOne = (patterns: string, route: Route): boolean => patterns.split(',').some(pattern => fits(pattern, route))

const table = [
  ...lines.matchAll(/^ {2}([a-z_]+(?::[a-z]+)?)(?: (profile|merchant))?: ((?:GET|POST|PUT|\*|DELETE) [\s\S]*?)(?=\n {2}\S|\n\n|\n$)/gm),
].map(([, name, scope, patterns]) => ({ name: name!, scope, patterns: patterns! }))

/** Gives the right that an operation needs of a person; null: no person can call it. */
export function rightOf(route: Route): Right | null {
  const line = table.find(({ patterns }) => fitsOne(patterns, route))
  if (line === undefined)
    throw new Error(`${route.method} ${route.path} is in no line of test/access.ts: add the permission that it needs, and its scope`)
  const { name, scope } = line
  if (name === 'nobody') return null
  if (name === 'own') return { permission: null, scope: 'own' }
  return name === 'deployment' ? { permission: name, scope: name } : { permission: name, scope: scope as 'profile' | 'merchant' }
}

/** Whether an operation's answers may hold personal data of customers. */
export const mayHoldPersonalData = (route: Route): boolean => !fitsOne(ofOthers, route)
