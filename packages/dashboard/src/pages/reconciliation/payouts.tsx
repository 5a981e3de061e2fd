import { type ReactElement, useState } from 'react'
import { answer, GET, type Schemas } from '../../api'
import { AccountName, none } from '../../parts/cells'
import { Loaded } from '../../parts/loaded'
import { Money, withCurrency } from '../../parts/money'
import { More } from '../../parts/more'
import { usePages } from '../../parts/pages'
import { StatusMark } from '../../parts/status'
import type { Family } from '../../parts/status-families'
import { Table, TablePanel } from '../../parts/table'
import { dayInWords } from '../../parts/time'
import { useIsMerchantWide } from '../../session'

type Payout = Schemas['ProcessorPayout']
type Entry = Schemas['BankEntry']

/** The bank has a payout within so many days; the service looks no longer for it by its amount. */
const USUAL_DAYS = 10
const DAY_MS = 86_400_000

type State = { family: Family; words: string }

/** Says how a payout stands between the processor's lines and the bank. */
function stateOf({ lines, lines_net, stated, paid_out, arrived, arrived_at, paid_at, currency }: Payout): State {
  if (stated !== null && lines > 0 && stated !== lines_net)
    return {
      family: 'person',
      words: `${withCurrency(Math.abs(stated - lines_net), currency)} ${stated < lines_net ? 'less' : 'more'} than its lines`,
    }
  if (paid_out === 0) return { family: 'waits', words: 'not paid out yet' }
  if (arrived === paid_out) return { family: 'done', words: arrived_at ? `arrived ${dayInWords(arrived_at)}` : 'arrived' }
  const days = paid_at === null ? 0 : Math.floor((Date.now() - Date.parse(paid_at)) / DAY_MS)
  return days > USUAL_DAYS ? { family: 'person', words: `not at your bank after ${days} days` } : { family: 'way', words: 'on its way' }
}

function Unmatched(): ReactElement {
  const entries = usePages<Entry>(
    ['reconciliation', 'bank entries'],
    starting_after =>
      answer(
        GET('/reconciliation/bank_entries', {
          params: { query: { matched: false, limit: 20, ...(starting_after && { starting_after }) } },
        }),
      ),
    ({ bank_entry_id }) => bank_entry_id,
  )
  return (
    <Loaded what="Entries of your bank" asked={entries} isPadded>
      {rows =>
        rows?.length === 0 ? (
          <p className="in muted">None: each entry of your bank is a payout that is known here, or no statement was read yet.</p>
        ) : (
          <>
            <Table
              isPaired
              title="Bank entries without a payout"
              rows={rows}
              keyOf={({ bank_entry_id }) => bank_entry_id}
              columns={[
                { name: 'Day', look: 'num', cell: ({ booked_at }) => dayInWords(booked_at) },
                { name: 'What your bank says', look: 'says', cell: ({ texts }) => texts.join(' · ') || none },
                { name: 'Amount', right: true, cell: ({ amount, currency }) => <Money amount={amount} currency={currency} /> },
              ]}
            />
            <More of={entries} />
          </>
        )
      }
    </Loaded>
  )
}

/** Shows the payouts of processors to the merchant's bank, with their match on both sides. */
export function PayoutsToBank({ merchant_connector_id }: { merchant_connector_id: string | undefined }): ReactElement {
  const isWhole = useIsMerchantWide()
  const [isOpen, setOpen] = useState(false)
  const payouts = usePages<Payout>(
    ['reconciliation', 'payouts', merchant_connector_id],
    starting_after =>
      answer(
        GET('/reconciliation/payouts', {
          params: {
            query: { limit: 10, ...(merchant_connector_id && { merchant_connector_id }), ...(starting_after && { starting_after }) },
          },
        }),
      ),
    ({ batch_id }) => batch_id,
  )
  return (
    <TablePanel
      isPaired
      title="Payouts to your bank"
      hint="their lines, what was paid, what arrived"
      asked={payouts}
      none={<p className="blank">No report has named a payout yet.</p>}
      keyOf={({ batch_id }) => batch_id}
      columns={[
        {
          name: 'Payout',
          look: 'says',
          cell: ({ batch, merchant_connector_id }) => (
            <>
              <b className="strong cut-block cut" title={batch}>
                {batch}
              </b>
              <span className="cut-block muted">
                <AccountName of={{ merchant_connector_id }} />
              </span>
            </>
          ),
        },
        {
          name: 'Its lines',
          right: true,
          cell: ({ lines, lines_net, currency }) =>
            lines === 0 ? <span className="faint">no lines</span> : <Money amount={lines_net} currency={currency} />,
        },
        {
          name: 'Paid out',
          right: true,
          cell: ({ paid_out, currency }) => (paid_out === 0 ? none : <Money amount={paid_out} currency={currency} />),
        },
        {
          name: 'At your bank',
          right: true,
          cell: ({ arrived, currency }) => (arrived === 0 ? none : <Money amount={arrived} currency={currency} />),
        },
        { name: 'Paid', right: true, wide: true, look: 'num', cell: ({ paid_at }) => (paid_at ? dayInWords(paid_at) : none) },
        {
          name: 'State',
          look: 'says',
          cell: payout => {
            const { family, words } = stateOf(payout)
            return (
              <span className="row">
                <StatusMark family={family} /> {words}
              </span>
            )
          },
        },
      ]}
      foot={
        <>
          <More of={payouts} />
          {isWhole && (
            <details className="fold-bar" onToggle={event => setOpen(event.currentTarget.open)}>
              <summary>Bank entries that belong to no payout</summary>
              {isOpen && <Unmatched />}
            </details>
          )}
        </>
      }
    />
  )
}
