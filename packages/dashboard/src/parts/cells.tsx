import type { ReactElement } from 'react'
import { useLabels } from '../queries'
import { outsideAt } from './processor'

// What several columns show.

/** Stands for a value that an object does not have. */
export const none = <span className="faint">–</span>

/** Shows the number of calls without an answer, coloured if there are any. */
export const Lost = ({ count }: { count: number }): ReactElement => (count > 0 ? <span className="c-unknown">{count}</span> : <>0</>)

type Account = { merchant_connector_id?: string | null; connector?: string | null }

/** Shows the label that the merchant gave a connector account. */
export function AccountName({ of }: { of: Account }): ReactElement {
  return <>{useLabels()(of.merchant_connector_id, of.connector)}</>
}

/** Shows who made a refund: the merchant, or others at the processor. */
export const MadeBy = ({ of: { origin, connector } }: { of: { origin: string; connector: string } }): ReactElement =>
  origin === 'external' ? <span className="c-person">{outsideAt(connector)}</span> : <>here</>
