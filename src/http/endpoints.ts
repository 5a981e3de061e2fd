import type { Endpoint, Room } from './endpoint.ts'
import { accounts } from './rooms/accounts.ts'
import { apiKeys } from './rooms/api-keys.ts'
import { audit } from './rooms/audit.ts'
import { blocklist } from './rooms/blocklist.ts'
import { collectLinks } from './rooms/collect-links.ts'
import { configs } from './rooms/configs.ts'
import { connectorAccounts } from './rooms/connector-accounts.ts'
import { customers } from './rooms/customers.ts'
import { disputes } from './rooms/disputes.ts'
import { events } from './rooms/events.ts'
import { gsm } from './rooms/gsm.ts'
import { jobs } from './rooms/jobs.ts'
import { ledger } from './rooms/ledger.ts'
import { logs } from './rooms/logs.ts'
import { mandates } from './rooms/mandates.ts'
import { paymentLinks } from './rooms/payment-links.ts'
import { paymentMethods } from './rooms/payment-methods.ts'
import { payments } from './rooms/payments.ts'
import { payoutLinks } from './rooms/payout-links.ts'
import { payouts } from './rooms/payouts.ts'
import { profiles } from './rooms/profiles.ts'
import { refunds } from './rooms/refunds.ts'
import { routing } from './rooms/routing.ts'
import { service } from './rooms/service.ts'
import { webhookEndpoints } from './rooms/webhook-endpoints.ts'
import { webhooks } from './rooms/webhooks.ts'

/** The interface: one file a room, one entry an operation. */
export const rooms: readonly Room[] = [
  payments,
  paymentLinks,
  refunds,
  payouts,
  payoutLinks,
  disputes,
  customers,
  paymentMethods,
  collectLinks,
  mandates,
  events,
  webhookEndpoints,
  accounts,
  profiles,
  connectorAccounts,
  apiKeys,
  routing,
  blocklist,
  configs,
  gsm,
  ledger,
  logs,
  audit,
  jobs,
  webhooks,
  service,
]

export const endpoints: readonly Endpoint[] = rooms.flatMap(room => room.endpoints)
