import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { Chosen } from './list-address'
import { NotFound } from './not-found'
import { Shell } from './shell'

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  validateSearch: (given: Record<string, unknown>): Record<string, string> => given as Record<string, string>,
})

/** Each page is a chunk of its own, which is loaded when the page is opened. */
const page = <const Path extends string>(path: Path, load: () => Promise<{ default: () => ReactElement | null }>) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load) })

const pages = [
  page('/', () => import('./pages/home')),
  page('/payments', () => import('./pages/payments')),
  page('/payments/$payment_id', () => import('./pages/payment')),
  page('/refunds', () => import('./pages/refunds')),
  page('/refunds/$refund_id', () => import('./pages/refund')),
  page('/disputes', () => import('./pages/disputes')),
  page('/disputes/$dispute_id', () => import('./pages/dispute')),
  page('/payouts', () => import('./pages/payouts')),
  page('/payouts/$payout_id', () => import('./pages/payout')),
  page('/customers', () => import('./pages/customers')),
  page('/customers/$customer_id', () => import('./pages/customer')),
  page('/ledger', () => import('./pages/ledger')),
  page('/reconciliation', () => import('./pages/reconciliation')),
  page('/analytics', () => import('./pages/analytics')),
  page('/routing', () => import('./pages/routing')),
  page('/routing/try', () => import('./pages/routing/test-routing')),
  page('/connectors', () => import('./pages/connectors')),
  page('/connectors/$merchant_connector_id', () => import('./pages/connector')),
  page('/approvals', () => import('./pages/approvals')),
  page('/developers/keys', () => import('./pages/api-keys')),
  page('/developers/webhooks', () => import('./pages/webhooks')),
  page('/developers/events', () => import('./pages/events')),
  page('/developers/events/$event_id', () => import('./pages/event')),
  page('/developers/logs', () => import('./pages/logs')),
  page('/developers/logs/$log_id', () => import('./pages/log')),
  page('/settings/profiles', () => import('./pages/profiles')),
  page('/settings/profiles/$profile_id', () => import('./pages/profiles')),
  page('/settings/blocklist', () => import('./pages/blocklist')),
  page('/settings/team', () => import('./pages/team')),
  page('/settings/account', () => import('./pages/account')),
  page('/settings/audit', () => import('./pages/audit')),
  page('/settings/jobs', () => import('./pages/jobs')),
  page('/device', () => import('./pages/device')),
] as const

/** The router. Addresses hold the filters by the interface's own names: `?status=failed,expired&currency=EUR`. */
export const router = createRouter({
  routeTree: root.addChildren(pages),
  basepath: '/dashboard',
  parseSearch: text => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: given => {
    const set = Object.entries(given as Chosen).filter(([, value]) => value !== undefined && value !== '')
    const text = new URLSearchParams(set).toString().replaceAll('%2C', ',').replaceAll('%3A', ':')
    return text === '' ? '' : `?${text}`
  },
  defaultPreload: false,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
