import { useNavigate } from '@tanstack/react-router'
import { type ReactElement, useEffect } from 'react'
import type { paths } from '../../.made/interface'
import { answer, GET, type Schemas } from '../api'
import { plural } from '../format'
import { useLiveList } from '../live'
import { curlOf, EmptyState } from '../parts/empty-state'
import { type Chosen, type Filter, Filters, useChosen } from '../parts/filters'
import { ObjectLink } from '../parts/id'
import { type Column, List } from '../parts/list'
import { Money } from '../parts/money'
import { Pagination } from '../parts/pagination'
import { Status } from '../parts/status'
import { useCounts } from '../parts/status-counts'
import { Tabs } from '../parts/tabs'
import { Ago, Due } from '../parts/time'
import { useLabels } from '../queries'

type Dispute = Schemas['Dispute']
type Query = paths['/disputes/list']['get']['parameters']['query']

const LIMIT = 50
const choices = (values: readonly string[]) => values.map(value => ({ value, label: value }))
const statuses = ['opened', 'challenged', 'accepted', 'won', 'lost', 'expired', 'cancelled'].map(end => `dispute_${end}`)
const filters: readonly Filter[] = [
  { name: 'dispute_status', label: 'Status', kind: 'any of', choices: choices(statuses) },
  { name: 'dispute_stage', label: 'Stage', kind: 'any of', choices: choices(['pre_dispute', 'dispute', 'pre_arbitration', 'arbitration']) },
  { name: 'payment_id', label: 'Payment', kind: 'text', hint: 'pay_…' },
]

const columnsWith = (labelOf: ReturnType<typeof useLabels>): Column<Dispute>[] => [
  { name: 'Amount', right: true, cell: dispute => <Money amount={Number(dispute.amount)} currency={dispute.currency} /> },
  { name: 'Status', cell: dispute => <Status status={dispute.dispute_status} /> },
  {
    name: 'Due',
    cell: dispute =>
      dispute.dispute_status === 'dispute_opened' ? <Due at={dispute.challenge_required_by} /> : <span className="faint">–</span>,
  },
  { name: 'Stage', wide: true, cell: dispute => dispute.dispute_stage },
  { name: 'Reason', cell: dispute => [dispute.connector_reason, dispute.connector_reason_code].filter(Boolean).join(' ') },
  { name: 'Account', wide: true, cell: dispute => labelOf(dispute.merchant_connector_id, dispute.connector) },
  { name: 'Payment', wide: true, cell: dispute => <ObjectLink id={dispute.payment_id} /> },
  { name: 'Opened', right: true, cell: dispute => <Ago at={dispute.created_at} /> },
]

const FIRST = curlOf('/payments', {
  amount: 24900,
  currency: 'EUR',
  confirm: true,
  payment_method: 'card',
  payment_method_data: { card: { card_number: '4000000000000259', card_exp_month: '12', card_exp_year: '2030', card_cvc: '123' } },
})

/**
 * Whether the list is sorted by due date. Only the first page of opened disputes is, because the interface has no
 * cursors for that order.
 */
const isByDue = ({ dispute_status, starting_after, ending_before }: Chosen): boolean =>
  dispute_status === 'dispute_opened' && !starting_after && !ending_before

const tabs = [
  ...['opened', 'challenged', 'won', 'lost'].map(end => ({ name: `dispute_${end}`, values: `dispute_${end}` })),
  { name: 'Ended otherwise', values: ['accepted', 'expired', 'cancelled'].map(end => `dispute_${end}`).join(',') },
]

export default function Disputes(): ReactElement {
  const chosen = useChosen()
  const navigate = useNavigate()
  const labelOf = useLabels()
  const counts = useCounts('disputes', chosen, 'dispute_status')
  const opened = counts?.dispute_opened ?? 0
  const { starting_after, ending_before, ...rest } = chosen
  const {
    rows,
    newer: appeared,
    error,
    isPlaceholderData,
    refetch,
  } = useLiveList({
    of: 'disputes',
    key: ['disputes', 'list', chosen],
    ask: () => {
      const lists = ['dispute_status', 'dispute_stage'].flatMap(name => (chosen[name] ? [[name, chosen[name].split(',')]] : []))
      const order = isByDue(chosen) ? { order: 'challenge_required_by' } : {}
      const query = { ...chosen, ...Object.fromEntries(lists), ...order, limit: LIMIT } as unknown as Query
      return answer(GET('/disputes/list', { params: { query } }))
    },
    rowsOf: found => found as Dispute[],
    idOf: dispute => dispute.dispute_id,
    isFirst: !starting_after && !ending_before,
  })
  useEffect(() => {
    document.title = 'Disputes · Switchyard'
  }, [])
  const show = (search: Chosen) => void navigate({ to: '/disputes', search })
  const isFull = rows?.length === LIMIT && !isByDue(chosen)
  const isFiltered = Object.values(rest).some(Boolean)
  return (
    <>
      <div className="head">
        <div>
          <h1>Disputes</h1>
          {opened > 0 && (
            <p className="sub">
              {plural(opened, 'dispute needs', 'disputes need')} an answer
              {chosen.dispute_status === 'dispute_opened' && ', the soonest due first'}.
            </p>
          )}
        </div>
      </div>
      <Tabs to="/disputes" name="dispute_status" chosen={chosen} tabs={tabs} counts={counts} />
      <Filters filters={filters} chosen={chosen} choose={(name, value) => show({ ...rest, [name]: value })} every />
      <List
        of="Disputes"
        columns={columnsWith(labelOf)}
        rows={rows}
        newer={appeared}
        error={error}
        isStale={isPlaceholderData}
        again={() => void refetch()}
        idOf={dispute => dispute.dispute_id}
        to={dispute => `/disputes/${dispute.dispute_id}`}
        empty={
          <EmptyState
            clear={isFiltered ? () => show({}) : null}
            title="No disputes."
            hint="Card 4000 0000 0000 0259 makes one as soon as it is captured."
            curl={FIRST}
          />
        }
        foot={
          rows && (
            <Pagination
              older={isFull || (ending_before && rows.length > 0) ? () => show({ ...rest, starting_after: rows.at(-1)!.dispute_id }) : null}
              newer={
                rows.length > 0 && (starting_after || (ending_before && isFull))
                  ? () => show({ ...rest, ending_before: rows[0]!.dispute_id })
                  : null
              }
              text={plural(rows.length, 'dispute')}
            />
          )
        }
      />
    </>
  )
}
