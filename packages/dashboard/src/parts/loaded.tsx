import type { ReactElement, ReactNode } from 'react'
import { LoadError } from './load-error'

/** The state of a query: its data, or its error. */
export type Asked<Data> = { data: Data | undefined; error: unknown; refetch(): unknown }

export const partOf = <Data, Part>({ data, error, refetch }: Asked<Data>, of: (data: Data) => Part): Asked<Part> => ({
  data: data && of(data),
  error,
  refetch,
})

type Props<Data> = {
  /** The name of the data in the error: `The blocklist`. */
  what: string
  asked: Asked<Data>
  /** Whether the error stands in a panel, with space around it. */
  isPadded?: boolean
  children(data: Data | undefined): ReactNode
}

/** Shows the data of a query, undefined while they are read; in their place the error if they could not be read. */
export function Loaded<Data>({ what, asked: { data, error, refetch }, isPadded, children }: Props<Data>): ReactElement {
  if (!error || data !== undefined) return <>{children(data)}</>
  const failed = <LoadError what={what} error={error} retry={() => void refetch()} />
  return isPadded ? <div className="in">{failed}</div> : failed
}
