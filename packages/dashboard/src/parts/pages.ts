import { useInfiniteQuery } from '@tanstack/react-query'
import type { Asked } from './loaded'

type Page<Row> = { data: readonly Row[]; has_more: boolean }

export type Pages<Row> = Asked<readonly Row[]> & { hasMore: boolean; isBusy: boolean; more(): void }

/** Queries the first page of a list; `more` adds the next one below it. */
export function usePages<Row>(
  key: readonly unknown[],
  ask: (starting_after: string | undefined) => Promise<Page<Row>>,
  idOf: (row: Row) => string,
  enabled = true,
): Pages<Row> {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => ask(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ data, has_more }) => (has_more ? idOf(data.at(-1)!) : undefined),
    enabled,
  })
  return {
    data: data?.pages.flatMap(page => page.data),
    error,
    refetch,
    hasMore: hasNextPage,
    isBusy: isFetchingNextPage,
    more: () => void fetchNextPage(),
  }
}
