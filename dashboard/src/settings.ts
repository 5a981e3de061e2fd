import { useQuery, useQueryClient } from '@tanstack/react-query'
import { answer, GET, type Schemas } from './interface'
import { useMay, useSession } from './session'

// Queries that the settings pages share.

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
    enabled: useMay()('profiles:read'),
    queryFn: () => answer(GET('/account/{merchant_id}/business_profile', { params: { path: { merchant_id } } })),
  })
}

export function useAccounts() {
  const merchant_id = useMerchant()
  return useQuery({
    queryKey: ['connectors', 'accounts', merchant_id],
    enabled: useMay()('connectors:read'),
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

/** The periods for which the service reports the health of accounts. */
export const healthWindows = [
  { value: '1h', label: '1 hour' },
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
]
