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

type Accounts = Record<string, { connector_label?: string | null; merchant_connector_id: string }[]>

/** Queries the choices of filters and the labels of connector accounts. Both hardly ever change. */
export const useChoices = ({ enabled = true } = {}) =>
  useQuery({ queryKey: ['payments', 'choices'], queryFn: () => answer(GET('/payments/v2/filter')), staleTime: 300_000, enabled })

const accountsIn = (data: { connector: unknown } | undefined) => Object.values((data?.connector ?? {}) as Accounts).flat()

type Choice = { value: string; label: string }

/** The lists of choices that the service has for filters, by their names in filters. */
const choiceLists = {
  status: data => data?.status ?? [],
  connector: data => Object.keys(data?.connector ?? {}),
  account: data => accountsIn(data).map(one => ({ value: one.merchant_connector_id, label: one.connector_label ?? '–' })),
  currency: data => data?.currency ?? [],
  payment_method: data => (data?.payment_method ?? []) as string[],
  card_network: data => data?.card_network ?? [],
} as const satisfies Record<string, (data: ReturnType<typeof useChoices>['data']) => readonly (string | Choice)[]>
const payoutLists = {
  'payout status': data => data?.status ?? [],
  'payout connector': data => Object.keys(data?.connector ?? {}),
  'payout currency': data => data?.currency ?? [],
  payout_method: data => data?.payout_method ?? [],
} as const satisfies Record<string, (data: ReturnType<typeof usePayoutChoices>['data']) => readonly string[]>
export type ChoiceList = keyof typeof choiceLists | keyof typeof payoutLists

const usePayoutChoices = ({ enabled }: { enabled: boolean }) =>
  useQuery({ queryKey: ['payouts', 'choices'], queryFn: () => answer(GET('/payouts/v2/filter')), staleTime: 300_000, enabled })

/** Returns the choices of a filter: fixed ones as they are, others from the service. */
export function useChoiceList(choices: readonly Choice[] | ChoiceList): readonly Choice[] {
  const ofPayouts = typeof choices === 'string' && choices in payoutLists
  const { data } = useChoices({ enabled: typeof choices === 'string' && !ofPayouts })
  const { data: payouts } = usePayoutChoices({ enabled: ofPayouts })
  if (typeof choices !== 'string') return choices
  const found = ofPayouts
    ? payoutLists[choices as keyof typeof payoutLists](payouts)
    : choiceLists[choices as keyof typeof choiceLists](data)
  return found.map(one => (typeof one === 'string' ? { value: one, label: one } : one))
}

/** Returns the connector accounts with their processors and labels, as far as the user sees them. */
export function useAccountsByLabel(): readonly { merchant_connector_id: string; connector: string; label: string }[] {
  const { data } = useChoices()
  return Object.entries((data?.connector ?? {}) as Accounts).flatMap(([connector, accounts]) =>
    accounts.map(({ merchant_connector_id, connector_label }) => ({
      merchant_connector_id,
      connector,
      label: connector_label ?? connector,
    })),
  )
}

/** Returns the function that gives the label which the merchant gave a connector account. */
export function useLabels(): (merchant_connector_id: string | null | undefined, connector: string | null | undefined) => string {
  const { data } = useChoices()
  const labels = new Map(accountsIn(data).map(account => [account.merchant_connector_id, account.connector_label]))
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

/** Queries the health of all connector accounts; the page of one account shows its part of it. */
export function useAccountHealth(window: string) {
  const merchant_id = useMerchant()
  return useQuery({
    queryKey: ['connectors', 'health', merchant_id, window],
    queryFn: () =>
      answer(GET('/account/{merchant_id}/connectors/health', { params: { path: { merchant_id }, query: { window: window as '24h' } } })),
    placeholderData: before => before,
  })
}

/** The periods for which the service reports the health of accounts. */
export const healthWindows = [
  { value: '1h', label: '1 hour' },
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
]
