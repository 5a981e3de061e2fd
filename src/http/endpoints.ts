import { refuse } from '../base/refusal.ts'
import type { Endpoint, Tag } from './endpoint.ts'
import { accountRoutes } from './routes/accounts.ts'
import { analyticsRoutes } from './routes/analytics.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { approvalRoutes } from './routes/approvals.ts'
import { auditRoutes } from './routes/audit.ts'
import { blocklistRoutes } from './routes/blocklist.ts'
import { collectLinkRoutes } from './routes/collect-links.ts'
import { configRoutes } from './routes/configs.ts'
import { connectorAccountRoutes } from './routes/connector-accounts.ts'
import { customerRoutes } from './routes/customers.ts'
import { disputeRoutes } from './routes/disputes.ts'
import { eventListenerRoutes } from './routes/event-listeners.ts'
import { eventRoutes } from './routes/events.ts'
import { gsmRoutes } from './routes/gsm.ts'
import { jobRoutes } from './routes/jobs.ts'
import { ledgerRoutes } from './routes/ledger.ts'
import { logRoutes } from './routes/logs.ts'
import { mandateRoutes } from './routes/mandates.ts'
import { paymentLinkRoutes } from './routes/payment-links.ts'
import { paymentMethodRoutes } from './routes/payment-methods.ts'
import { paymentRoutes } from './routes/payments.ts'
import { payoutLinkRoutes } from './routes/payout-links.ts'
import { payoutRoutes } from './routes/payouts.ts'
import { profileRoutes } from './routes/profiles.ts'
import { reconciliationRoutes } from './routes/reconciliation.ts'
import { refundRoutes } from './routes/refunds.ts'
import { routingRoutes } from './routes/routing.ts'
import { sampleDataRoutes } from './routes/sample-data.ts'
import { searchRoutes } from './routes/search.ts'
import { serviceRoutes } from './routes/service.ts'
import { userRoutes } from './routes/users.ts'
import { webhookEndpointRoutes } from './routes/webhook-endpoints.ts'
import { webhookRoutes } from './routes/webhooks.ts'

/** The interface: one file per tag, one entry per operation. */
export const tags: readonly Tag[] = [
  paymentRoutes,
  paymentLinkRoutes,
  refundRoutes,
  payoutRoutes,
  payoutLinkRoutes,
  disputeRoutes,
  customerRoutes,
  paymentMethodRoutes,
  collectLinkRoutes,
  mandateRoutes,
  eventRoutes,
  webhookEndpointRoutes,
  eventListenerRoutes,
  accountRoutes,
  profileRoutes,
  connectorAccountRoutes,
  apiKeyRoutes,
  routingRoutes,
  blocklistRoutes,
  configRoutes,
  gsmRoutes,
  ledgerRoutes,
  reconciliationRoutes,
  analyticsRoutes,
  searchRoutes,
  logRoutes,
  auditRoutes,
  jobRoutes,
  userRoutes,
  approvalRoutes,
  webhookRoutes,
  sampleDataRoutes,
  serviceRoutes,
]

export const endpoints: readonly Endpoint[] = tags.flatMap(tag => tag.endpoints)

const byName = new Map(endpoints.map(endpoint => [endpoint.name, endpoint]))

export const operationNamed = (name: string): Endpoint => byName.get(name) ?? refuse('not_found', { what: 'operation' })
