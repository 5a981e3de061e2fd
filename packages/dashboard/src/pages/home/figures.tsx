import { Link } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'
import type { Schemas } from '../../api'
import { percent, plural } from '../../format'
import type { Chosen } from '../../list-address'
import { formatAmount, withCurrency } from '../../parts/money'
import { Due } from '../../parts/time'

type Amounts = readonly { currency: string; amount: number }[]
type AttentionList = Schemas['AttentionList']
type Item = Schemas['AnalyticsBreakdownItem']

/** Shows the largest amount, and the others beneath it. Amounts of several currencies are never added up. */
function Amount({ amounts }: { amounts: Amounts }): ReactElement {
  const [first, ...others] = amounts
  if (first === undefined) return <p className="figure">0</p>
  return (
    <>
      <p className="figure">
        {formatAmount(first.amount, first.currency)} <i>{first.currency}</i>
      </p>
      {others.length > 0 && (
        <p className="muted">
          {others
            .slice(0, 2)
            .map(({ amount, currency }) => withCurrency(amount, currency))
            .join(' · ')}
          {others.length > 2 && ` · ${others.length - 2} more`}
        </p>
      )}
    </>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }): ReactElement {
  return (
    <div>
      <h2>{name}</h2>
      {children}
    </div>
  )
}

type Props = { item: Item | undefined; filter: Chosen; attention: AttentionList | undefined }

export function Figures({ item, filter, attention }: Props): ReactElement {
  const unknown = attention?.unknown
  const isGivenUp = attention?.data.some(({ kind }) => kind === 'payment_unresolved')
  return (
    <div className="five">
      <Figure name="Captured">
        <Amount amounts={item?.captured?.amounts ?? []} />
        <p className="muted">{plural(item?.captured?.payments ?? 0, 'payment')}</p>
      </Figure>
      <Figure name="Payments authorized">
        <p className="figure">{percent(item?.rate)}</p>
        <p className="muted">
          {(item?.authorized ?? 0).toLocaleString('en')} of {plural(item?.decided ?? 0, 'decided payment')}
        </p>
      </Figure>
      <Figure name="Saved by another attempt">
        <p className="figure">{(item?.saved_by_retry?.payments ?? 0).toLocaleString('en')}</p>
        <p className="muted">payments that one processor had refused</p>
      </Figure>
      <Figure name="Held, to be captured">
        <Amount amounts={item?.held?.amounts ?? []} />
        <p className="muted">
          <Link to="/payments" search={{ status: 'requires_capture', ...filter }} className="link">
            {plural(item?.held?.payments ?? 0, 'payment')}
          </Link>
        </p>
      </Figure>
      <Figure name="Not certain yet">
        <p className="figure">{unknown?.operations ?? 0}</p>
        <p className="muted">
          {unknown?.next_ask_at ? (
            <>
              asked next <Due at={unknown.next_ask_at} />
            </>
          ) : (
            `nothing waits for a processor’s answer${isGivenUp ? ', but some never came' : ''}`
          )}
        </p>
      </Figure>
    </div>
  )
}
