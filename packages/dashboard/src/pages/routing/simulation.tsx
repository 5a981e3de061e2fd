import type { ReactElement } from 'react'
import type { Schemas } from '../../api'
import { plural } from '../../format'
import { Panel } from '../../parts/details'
import { withCurrency } from '../../parts/money'
import { StatusMark } from '../../parts/status'
import { Exact } from '../../parts/time'
import { useNames } from './rules'

export type Simulation = Schemas['RoutingSimulation']
type Amounts = readonly { currency: string; amount: number }[]

const amountsOf = (all: Amounts): string => all.map(({ amount, currency }) => withCurrency(amount, currency)).join(', ')
const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '0')

/** Returns the number of payments that the draft would have sent to another account. */
export const movedIn = ({ elsewhere }: Simulation): number => elsewhere.reduce((sum, one) => sum + one.payments, 0)

function Table({ name, heads, children }: { name: string; heads: readonly string[]; children: ReactElement[] }): ReactElement {
  return (
    <>
      <h3>{name}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too */}
      <section className="tw" tabIndex={0} aria-label={name}>
        <table aria-label={name}>
          <thead>
            <tr>
              {heads.map(head => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </section>
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
      <Table name="Accounts" heads={['Account', 'Went', 'Would go', 'Difference', 'Amounts then']}>
        {of.connectors.map(one => (
          <tr key={one.merchant_connector_id}>
            <td className="strong">{nameOf(one)}</td>
            <td className="num">{one.went.payments}</td>
            <td className="num">{one.would_go.payments}</td>
            <td className="num">{signed(one.would_go.payments - one.went.payments)}</td>
            <td>{amountsOf(one.would_go.amounts)}</td>
          </tr>
        ))}
      </Table>
      <Table name="Moved" heads={['From', 'To', 'Payments', 'Amounts']}>
        {of.elsewhere.map(one => (
          <tr key={`${one.from.merchant_connector_id} ${one.to?.merchant_connector_id}`}>
            <td>{nameOf(one.from)}</td>
            <td className="strong">{one.to ? nameOf(one.to) : 'nowhere'}</td>
            <td className="num">{one.payments}</td>
            <td>{amountsOf(one.amounts)}</td>
          </tr>
        ))}
      </Table>
      <Table name="Payments that are alike" heads={['Network', 'Currency', 'Country', 'Success of each account', 'Moved']}>
        {of.cells.map(cell => (
          <tr key={`${cell.card_network} ${cell.currency} ${cell.country}`}>
            <td>{cell.card_network ?? '–'}</td>
            <td>{cell.currency}</td>
            <td>{cell.country ?? '–'}</td>
            <td>{cell.connectors.map(one => `${nameOf(one)} ${rateOf(one.success_rate)} of ${one.payments}`).join(', ')}</td>
            <td>
              {cell.moved.map(one => `${one.payments} ${nameOf(one.from)} → ${one.to ? nameOf(one.to) : 'nowhere'}`).join(', ') || '–'}
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  )
}
