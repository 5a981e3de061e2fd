import type { ComponentProps, ReactElement } from 'react'
import type { Schemas } from '../../api'
import { plural } from '../../format'
import { Panel } from '../../parts/details'
import { withCurrency } from '../../parts/money'
import { StatusMark } from '../../parts/status'
import { Table } from '../../parts/table'
import { Exact } from '../../parts/time'
import { useNames } from './rules'

export type Simulation = Schemas['RoutingSimulation']
type Amounts = readonly { currency: string; amount: number }[]

const amountsOf = (all: Amounts): string => all.map(({ amount, currency }) => withCurrency(amount, currency)).join(', ')
const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '0')

/** Returns the number of payments that the draft would have sent to another account. */
export const movedIn = ({ elsewhere }: Simulation): number => elsewhere.reduce((sum, one) => sum + one.payments, 0)

function Named<Row>({ title, ...table }: Omit<ComponentProps<typeof Table<Row>>, 'label'>): ReactElement {
  return (
    <>
      <h3>{title}</h3>
      <Table title={title} label={title} {...table} />
    </>
  )
}

/** Shows the effect that a draft would have had in the period. */
export function SimulationPanel({ of }: { of: Simulation }): ReactElement {
  const nameOf = useNames()
  const rateOf = (rate: number | 'unknown') => (rate === 'unknown' ? 'unknown' : `${rate} %`)
  if (of.payments === 0)
    return (
      <Panel title="Simulation">
        <div className="blank">
          <h2>No payment was sent to a processor in this period.</h2>
        </div>
      </Panel>
    )
  return (
    <Panel title="Simulation" hint={`${movedIn(of)} of ${plural(of.payments, 'payment')} would have gone elsewhere.`}>
      {of.would_go_nowhere.payments > 0 && (
        <div className="note person">
          <StatusMark family="person" size={16} />
          <p className="grow">
            {plural(of.would_go_nowhere.payments, 'payment')} ({amountsOf(of.would_go_nowhere.amounts)}) would have gone nowhere.
          </p>
        </div>
      )}
      {!of.complete && (
        <p className="in tight">
          Only payments since <Exact at={of.earliest} /> were looked at: the period has more.
        </p>
      )}
      <Named
        title="Accounts"
        rows={of.connectors}
        keyOf={({ merchant_connector_id }) => String(merchant_connector_id)}
        columns={[
          { name: 'Account', look: 'strong', cell: one => nameOf(one) },
          { name: 'Went', look: 'num', cell: ({ went }) => went.payments },
          { name: 'Would go', look: 'num', cell: ({ would_go }) => would_go.payments },
          { name: 'Difference', look: 'num', cell: ({ went, would_go }) => signed(would_go.payments - went.payments) },
          { name: 'Amounts then', cell: ({ would_go }) => amountsOf(would_go.amounts) },
        ]}
      />
      <Named
        title="Moved"
        rows={of.elsewhere}
        keyOf={({ from, to }) => `${from.merchant_connector_id} ${to?.merchant_connector_id}`}
        columns={[
          { name: 'From', cell: ({ from }) => nameOf(from) },
          { name: 'To', look: 'strong', cell: ({ to }) => (to ? nameOf(to) : 'nowhere') },
          { name: 'Payments', look: 'num', cell: ({ payments }) => payments },
          { name: 'Amounts', cell: ({ amounts }) => amountsOf(amounts) },
        ]}
      />
      <Named
        title="Payments that are alike"
        rows={of.cells}
        keyOf={({ card_network, currency, country }) => `${card_network} ${currency} ${country}`}
        columns={[
          { name: 'Network', cell: ({ card_network }) => card_network ?? '–' },
          { name: 'Currency', cell: ({ currency }) => currency },
          { name: 'Country', cell: ({ country }) => country ?? '–' },
          {
            name: 'Success of each account',
            cell: ({ connectors }) => connectors.map(one => `${nameOf(one)} ${rateOf(one.success_rate)} of ${one.payments}`).join(', '),
          },
          {
            name: 'Moved',
            cell: ({ moved }) =>
              moved.map(one => `${one.payments} ${nameOf(one.from)} → ${one.to ? nameOf(one.to) : 'nowhere'}`).join(', ') || '–',
          },
        ]}
      />
    </Panel>
  )
}
