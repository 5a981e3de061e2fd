import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { NotThere } from './not-there'
import type { Chosen } from './parts/filters'
import { Shell } from './shell'

const search = { validateSearch: (given: Record<string, unknown>): Record<string, string> => given as Record<string, string> }

const root = createRootRoute({ component: Shell, notFoundComponent: NotThere, ...search })
const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/home')),
})
const payments = createRoute({
  getParentRoute: () => root,
  path: '/payments',
  component: lazyRouteComponent(() => import('./pages/payments')),
})
const payment = createRoute({
  getParentRoute: () => root,
  path: '/payments/$payment_id',
  component: lazyRouteComponent(() => import('./pages/payment')),
})
const refunds = createRoute({
  getParentRoute: () => root,
  path: '/refunds',
  component: lazyRouteComponent(() => import('./pages/refunds')),
})
const refund = createRoute({
  getParentRoute: () => root,
  path: '/refunds/$refund_id',
  component: lazyRouteComponent(() => import('./pages/refund')),
})

const connectors = createRoute({
  getParentRoute: () => root,
  path: '/connectors',
  component: lazyRouteComponent(() => import('./pages/connectors')),
})
const connector = createRoute({
  getParentRoute: () => root,
  path: '/connectors/$merchant_connector_id',
  component: lazyRouteComponent(() => import('./pages/connector')),
})
const routing = createRoute({
  getParentRoute: () => root,
  path: '/routing',
  component: lazyRouteComponent(() => import('./pages/routing')),
})
const disputes = createRoute({
  getParentRoute: () => root,
  path: '/disputes',
  component: lazyRouteComponent(() => import('./pages/disputes')),
})
const dispute = createRoute({
  getParentRoute: () => root,
  path: '/disputes/$dispute_id',
  component: lazyRouteComponent(() => import('./pages/dispute')),
})
const payouts = createRoute({
  getParentRoute: () => root,
  path: '/payouts',
  component: lazyRouteComponent(() => import('./pages/payouts')),
})
const payout = createRoute({
  getParentRoute: () => root,
  path: '/payouts/$payout_id',
  component: lazyRouteComponent(() => import('./pages/payout')),
})
const customers = createRoute({
  getParentRoute: () => root,
  path: '/customers',
  component: lazyRouteComponent(() => import('./pages/customers')),
})
const customer = createRoute({
  getParentRoute: () => root,
  path: '/customers/$customer_id',
  component: lazyRouteComponent(() => import('./pages/customer')),
})
const ledger = createRoute({
  getParentRoute: () => root,
  path: '/ledger',
  component: lazyRouteComponent(() => import('./pages/ledger')),
})
const analytics = createRoute({
  getParentRoute: () => root,
  path: '/analytics',
  component: lazyRouteComponent(() => import('./pages/analytics')),
})
const tryRouting = createRoute({
  getParentRoute: () => root,
  path: '/routing/try',
  component: lazyRouteComponent(() => import('./pages/routing/try')),
})
const keys = createRoute({
  getParentRoute: () => root,
  path: '/developers/keys',
  component: lazyRouteComponent(() => import('./pages/keys')),
})
const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/developers/webhooks',
  component: lazyRouteComponent(() => import('./pages/webhooks')),
})
const events = createRoute({
  getParentRoute: () => root,
  path: '/developers/events',
  component: lazyRouteComponent(() => import('./pages/events')),
})
const event = createRoute({
  getParentRoute: () => root,
  path: '/developers/events/$event_id',
  component: lazyRouteComponent(() => import('./pages/event')),
})
const logs = createRoute({
  getParentRoute: () => root,
  path: '/developers/logs',
  component: lazyRouteComponent(() => import('./pages/logs')),
})
const log = createRoute({
  getParentRoute: () => root,
  path: '/developers/logs/$log_id',
  component: lazyRouteComponent(() => import('./pages/log')),
})
const profiles = createRoute({
  getParentRoute: () => root,
  path: '/settings/profiles',
  component: lazyRouteComponent(() => import('./pages/profiles')),
})
const profile = createRoute({
  getParentRoute: () => root,
  path: '/settings/profiles/$profile_id',
  component: lazyRouteComponent(() => import('./pages/profiles')),
})
const blocklist = createRoute({
  getParentRoute: () => root,
  path: '/settings/blocklist',
  component: lazyRouteComponent(() => import('./pages/blocklist')),
})
const audit = createRoute({
  getParentRoute: () => root,
  path: '/settings/audit',
  component: lazyRouteComponent(() => import('./pages/audit')),
})
const jobs = createRoute({
  getParentRoute: () => root,
  path: '/settings/jobs',
  component: lazyRouteComponent(() => import('./pages/jobs')),
})
const team = createRoute({
  getParentRoute: () => root,
  path: '/settings/team',
  component: lazyRouteComponent(() => import('./pages/team')),
})

const approvals = createRoute({
  getParentRoute: () => root,
  path: '/approvals',
  component: lazyRouteComponent(() => import('./pages/approvals')),
})
const account = createRoute({
  getParentRoute: () => root,
  path: '/settings/account',
  component: lazyRouteComponent(() => import('./pages/account')),
})
const device = createRoute({
  getParentRoute: () => root,
  path: '/device',
  component: lazyRouteComponent(() => import('./pages/device')),
})

/** The router. Addresses hold the filters by the interface's own names: `?status=failed,expired&currency=EUR`. */
export const router = createRouter({
  routeTree: root.addChildren([
    home,
    payments,
    payment,
    refunds,
    refund,
    disputes,
    dispute,
    payouts,
    payout,
    customers,
    customer,
    ledger,
    routing,
    connectors,
    connector,
    tryRouting,
    analytics,
    keys,
    webhooks,
    events,
    event,
    logs,
    log,
    profiles,
    profile,
    blocklist,
    team,
    approvals,
    account,
    device,
    audit,
    jobs,
  ]),
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
