import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { answer, GET, type Schemas } from '../../api'
import { plural } from '../../format'
import { AccountName } from '../../parts/cells'
import { Panel } from '../../parts/details'
import { Loaded } from '../../parts/loaded'
import { Money, withCurrency } from '../../parts/money'
import { Table } from '../../parts/table'
import { Ago, dayInWords } from '../../parts/time'

type Account = Schemas['SettlementAgeingOfAccount']
type Owed = NonNullable<Account['owed']>[number]

const daysOf = (ages: Owed['ages'], n: number): string => {
  const from = ages[n]!.from_days
  const next = ages[n + 1]?.from_days
  return next === undefined ? `${from} days and more` : next === from + 1 ? plural(from, 'day') : `${from} to ${next - 1} days`
}

/** Shows which part of what is owed is late. */
function Share({ amount, late_amount }: Pick<Owed, 'amount' | 'late_amount'>): ReactElement {
  const late = Math.min(100, Math.max(0, (late_amount / Math.max(1, amount)) * 100))
  return (
    <svg className="owed-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="6" fill={amount > 0 ? 'var(--done-fill)' : 'var(--rest-fill)'} />
      {amount > 0 && <rect x={100 - late} width={late} height="6" fill="var(--person-fill)" />}
    </svg>
  )
}

/** Says what of an amount is late; an amount below zero is the merchant's debt. */
function lateIn({ amount, currency, since, late_movements, late_amount }: Owed): ReactElement {
  if (amount < 0) return <>you owe them: refunds, disputes or payouts</>
  if (late_movements === 0) return <>nothing late, the oldest of {dayInWords(since)}</>
  return (
    <>
      <b className="c-person">{withCurrency(late_amount, currency)} late</b>, the oldest of {dayInWords(since)}
    </>
  )
}

function Owes({ owed }: { owed: Owed }): ReactElement {
  const { currency, amount, ages } = owed
  const shown = ages.map((age, n) => ({ ...age, days: daysOf(ages, n) })).filter(({ movements }) => movements > 0)
  return (
    <details className="owed">
      <summary>
        <span className="row">
          <span className="grow">{currency}</span>
          <Money amount={amount} currency={currency} large />
        </span>
        <Share {...owed} />
        <span className="small">{lateIn(owed)}</span>
      </summary>
      <Table
        title={`${currency} by age`}
        rows={shown}
        keyOf={({ days }) => days}
        columns={[
          { name: 'Age', cell: ({ days }) => days },
          { name: 'Movements', right: true, look: 'num', cell: ({ movements }) => movements.toLocaleString('en') },
          { name: 'Amount', right: true, cell: age => <Money amount={age.amount} currency={currency} /> },
        ]}
      />
    </details>
  )
}

const MINUTE = 60_000
/** The service counts again what it counted longer ago. */
const KEPT = 60 * MINUTE
const AGAIN = 15_000

const isOlder = ({ as_of }: Account, ms: number): boolean => as_of !== null && Date.now() - Date.parse(as_of) > ms
const isCounted = (account: Account): boolean => account.as_of === null || isOlder(account, KEPT)

/** Says when it was counted what an account's processor owes, if not now. */
function AsOf({ account }: { account: Account }): ReactElement | null {
  if (account.as_of === null) return <p className="muted small">It is being counted: there are very many movements.</p>
  if (!isOlder(account, MINUTE)) return null
  return (
    <p className="muted small">
      as of <Ago at={account.as_of} />
      {isCounted(account) && ', and being counted again'}
    </p>
  )
}

/** Shows what each processor has not settled yet, and what of it is late. */
export function OwedPanel({ merchant_connector_id }: { merchant_connector_id: string | undefined }): ReactElement {
  const asked = useQuery({
    queryKey: ['reconciliation', 'ageing', merchant_connector_id],
    queryFn: () =>
      answer(GET('/reconciliation/ageing', { params: { query: { ...(merchant_connector_id && { merchant_connector_id }) } } })),
    refetchInterval: ({ state }) => (state.data?.data.some(isCounted) ? AGAIN : false),
  })
  return (
    <Panel title="What processors owe you">
      <Loaded what="What processors owe" asked={asked} isPadded>
        {found => {
          if (found === undefined) return <div className="in waits-here" aria-busy="true" />
          const owing = found.data.filter(({ as_of, owed }) => as_of === null || owed?.length)
          if (owing.length === 0) return <p className="blank">Nothing: all that was taken is settled.</p>
          return (
            <ul className="owes">
              {owing.map(account => (
                <li key={account.merchant_connector_id}>
                  <p className="row">
                    <b className="strong grow cut">
                      <AccountName of={account} />
                    </b>
                    <span className="muted small">usually settles in {plural(account.usual_days, 'day')}</span>
                  </p>
                  <AsOf account={account} />
                  {account.owed?.map(one => (
                    <Owes key={one.currency} owed={one} />
                  ))}
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Panel>
  )
}
