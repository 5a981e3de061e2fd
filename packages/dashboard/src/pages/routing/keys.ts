import { useQuery } from '@tanstack/react-query'
import { answer, GET, type Schemas } from '../../api'

export type Key = Schemas['RoutingKey']

/** Queries the keys that conditions of rules can use. */
export const useKeys = () =>
  useQuery({
    queryKey: ['routing', 'keys'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await answer(GET('/routing/keys'))).data,
  })
