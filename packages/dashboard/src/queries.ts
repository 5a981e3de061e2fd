import { useQuery, useQueryClient } from '@tanstack/react-query'
import { answer, GET, type Payout, type Schemas } from './api'
import { usePermission, useSession } from './session'

// Queries that several pages share.

export type CatalogueEntry = Schemas['Connector']
export type Account = Schemas['ConnectorAccount']
export type Profile = Schemas['BusinessProfile']

export const useMerchant = (): string => useSession().user?.merchant_id ?? ''

/** Queries the catalogue of connectors. The sandbox is first, because new merchants begin with it. */
export const useCatalogue = () =>
  useQuery({
    queryKey: ['catalogue'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const { data } = await answer(GET('/connectors'))
      return (data as CatalogueEntry[]).toSorted((a, b) => Number(b.testing) - Number(a.testing))
    },
  })

export function useProfiles() {
  const merchant_id = useMerchant()
  return useQuery({
    queryKey: ['profiles', merchant_id],
    enabled: usePermission()('profiles:read'),
    queryFn: () => answer(GET('/account/{merchant_id}/business_profile', { params: { path: { merchant_id } } })),
  })
}

export function useAccounts() {
  const merchant_id = useMerchant()
  return useQuery({
    queryKey: ['connectors', 'accounts', merchant_id],
    enabled: usePermission()('connectors:read'),
    queryFn: () => answer(GET('/account/{merchant_id}/connectors', { params: { path: { merchant_id } } })),
  })
}

/** Queries the deployment: the public address of the service, and its mode. */
export const useDeployment = () =>
  useQuery({ queryKey: ['deployment'], queryFn: () => answer(GET('/deployment')), staleTime: Number.POSITIVE_INFINITY })

/** Invalidates all queries that depend on a connector account: the account, lists with it, and routing. */
export function useAccountChanged(): () => Promise<void> {
  const queries = useQueryClient()
  return async () =>
    void (await Promise.all(
      [['connectors'], ['routing'], ['payments', 'choices']].map(queryKey => queries.invalidateQueries({ queryKey })),
    ))
}

/** Queries the choices of filters and the labels of connector accounts. Both hardly ever change. */
export const useChoices = () =>
  useQuery({ queryKey: ['payments', 'choices'], queryFn: () => answer(GET('/payments/v2/filter')), staleTime: 300_000 })

type Accounts = Record<string, { connector_label?: string | null; merchant_connector_id: string }[]>

/** Returns the ids of all connector accounts. */
export function useAccountIds(): string[] {
  const { data } = useChoices()
  return Object.values((data?.connector ?? {}) as Accounts).flatMap(accounts => accounts.map(one => one.merchant_connector_id))
}

/** Returns the function that gives the label which the merchant gave a connector account. */
export function useLabels(): (merchant_connector_id: string | null | undefined, connector: string | null | undefined) => string {
  const { data } = useChoices()
  const all = Object.values((data?.connector ?? {}) as Accounts).flat()
  const labels = new Map(all.map(account => [account.merchant_connector_id, account.connector_label]))
  return (id, connector) => (id && labels.get(id)) || connector || '–'
}

/**
 * Queries all parts of a payment's page. Their keys begin with the payment's key, so one invalidation covers all of
 * them.
 */
export const usePaymentParts = (payment_id: string) => {
  const params = { path: { payment_id } }
  return {
    payment: useQuery({
      queryKey: ['payments', payment_id],
      queryFn: () =>
        answer(GET('/payments/{payment_id}', { params: { ...params, query: { expand_attempts: true, expand_captures: true } } })),
    }),
    actions: useQuery({
      queryKey: ['payments', payment_id, 'actions'],
      queryFn: () => answer(GET('/payments/{payment_id}/actions', { params })),
    }),
    operations: useQuery({
      queryKey: ['payments', payment_id, 'operations'],
      queryFn: () => answer(GET('/payments/{payment_id}/operations', { params })),
    }),
    timeline: useQuery({
      queryKey: ['payments', payment_id, 'timeline'],
      queryFn: () => answer(GET('/payments/{payment_id}/timeline', { params })),
    }),
  }
}

/**
 * Queries all parts of a payout's page. Their keys begin with the payout's key, so one invalidation covers all of
 * them.
 */
export const usePayoutParts = (payout_id: string, mayReadLogs: boolean) => {
  const params = { path: { payout_id } }
  return {
    payout: useQuery({
      queryKey: ['payouts', payout_id],
      queryFn: async () => (await answer(GET('/payouts/{payout_id}', { params }))) as Payout,
    }),
    actions: useQuery({
      queryKey: ['payouts', payout_id, 'actions'],
      queryFn: () => answer(GET('/payouts/{payout_id}/actions', { params })),
    }),
    operations: useQuery({
      queryKey: ['payouts', payout_id, 'operations'],
      queryFn: () => answer(GET('/payouts/{payout_id}/operations', { params })),
    }),
    events: useQuery({
      queryKey: ['payouts', payout_id, 'events'],
      queryFn: () => answer(GET('/events', { params: { query: { object_id: payout_id, limit: 100 } } })),
      enabled: mayReadLogs,
    }),
  }
}

/** The periods for which the service reports the health of accounts. */
export const healthWindows = [
  { value: '1h', label: '1 hour' },
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
]
