import type { Endpoint, Room } from './endpoint.ts'
import { accounts } from './routes/accounts.ts'
import { apiKeys } from './routes/api-keys.ts'
import { audit } from './routes/audit.ts'
import { blocklist } from './routes/blocklist.ts'
import { collectLinks } from './routes/collect-links.ts'
import { configs } from './routes/configs.ts'
import { connectorAccounts } from './routes/connector-accounts.ts'
import { customers } from './routes/customers.ts'
import { disputes } from './routes/disputes.ts'
import { events } from './routes/events.ts'
import { gsm } from './routes/gsm.ts'
import { jobs } from './routes/jobs.ts'
import { ledger } from './routes/ledger.ts'
import { logs } from './routes/logs.ts'
import { mandates } from './routes/mandates.ts'
import { paymentLinks } from './routes/payment-links.ts'
import { paymentMethods } from './routes/payment-methods.ts'
import { payments } from './routes/payments.ts'
import { payoutLinks } from './routes/payout-links.ts'
import { payouts } from './routes/payouts.ts'
import { profiles } from './routes/profiles.ts'
import { refunds } from './routes/refunds.ts'
import { routing } from './routes/routing.ts'
import { service } from './routes/service.ts'
import { webhookEndpoints } from './routes/webhook-endpoints.ts'
import { webhooks } from './routes/webhooks.ts'

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
