import type { ReactElement } from 'react'
import type { paths } from '../../.made/interface'
import { answer, GET, type Schemas } from '../api'
import { plural } from '../format'
import { type Chosen, choicesOf } from '../list-address'
import { AccountName, none } from '../parts/cells'
import { curlOf } from '../parts/empty-state'
import { ObjectLink } from '../parts/id'
import { ListPage, type Resource } from '../parts/list-page'
import { Money } from '../parts/money'
import { Status } from '../parts/status'
import { Ago, Due } from '../parts/time'

type Dispute = Schemas['Dispute']
type Query = paths['/disputes/list']['get']['parameters']['query']

const named = (ends: readonly string[]): string[] => ends.map(end => `dispute_${end}`)

/**
 * Whether the list is sorted by due date. Only the first page of opened disputes is, because the interface has no
 * cursors for that order.
 */
const isByDue = ({ dispute_status, starting_after, ending_before }: Chosen): boolean =>
  dispute_status === 'dispute_opened' && !starting_after && !ending_before

const disputes: Resource<Dispute, readonly unknown[]> = {
  title: 'Disputes',
  path: '/disputes',
  one: 'dispute',
  key: 'disputes',
  live: 'disputes',
  read: (query, chosen) =>
    answer(
      GET('/disputes/list', {
        params: { query: { ...query, ...(isByDue(chosen) && { order: 'challenge_required_by' }) } as unknown as Query },
      }),
    ),
  isLast: isByDue,
  rowsOf: found => found as Dispute[],
  idOf: ({ dispute_id }) => dispute_id,
  to: ({ dispute_id }) => `/disputes/${dispute_id}`,
  columns: [
    { name: 'Amount', right: true, cell: dispute => <Money amount={Number(dispute.amount)} currency={dispute.currency} /> },
    { name: 'Status', cell: dispute => <Status status={dispute.dispute_status} /> },
    {
      name: 'Due',
      cell: dispute => (dispute.dispute_status === 'dispute_opened' ? <Due at={dispute.challenge_required_by} /> : none),
    },
    { name: 'Stage', wide: true, cell: dispute => dispute.dispute_stage },
    { name: 'Reason', cell: dispute => [dispute.connector_reason, dispute.connector_reason_code].filter(Boolean).join(' ') },
    { name: 'Account', wide: true, cell: dispute => <AccountName of={dispute} /> },
    { name: 'Payment', wide: true, cell: dispute => <ObjectLink id={dispute.payment_id} /> },
    { name: 'Opened', right: true, cell: dispute => <Ago at={dispute.created_at} /> },
  ],
  filters: [
    {
      name: 'dispute_status',
      label: 'Status',
      kind: 'any of',
      choices: choicesOf(named(['opened', 'challenged', 'accepted', 'won', 'lost', 'expired', 'cancelled'])),
    },
    {
      name: 'dispute_stage',
      label: 'Stage',
      kind: 'any of',
      choices: choicesOf(['pre_dispute', 'dispute', 'pre_arbitration', 'arbitration']),
    },
    { name: 'payment_id', label: 'Payment', kind: 'text', hint: 'pay_…' },
  ],
  tabs: {
    filter: 'dispute_status',
    counted: 'disputes',
    tabs: [
      ...named(['opened', 'challenged', 'won', 'lost']).map(status => ({ name: status, values: status })),
      { name: 'Ended otherwise', values: named(['accepted', 'expired', 'cancelled']).join(',') },
    ],
  },
  empty: {
    title: 'No disputes.',
    hint: 'Card 4000 0000 0000 0259 makes one as soon as it is captured.',
    curl: curlOf('/payments', {
      ...{ amount: 24900, currency: 'EUR', confirm: true, payment_method: 'card' },
      payment_method_data: { card: { card_number: '4000000000000259', card_exp_month: '12', card_exp_year: '2030', card_cvc: '123' } },
    }),
  },
}

export default function Disputes(): ReactElement {
  return (
    <ListPage
      of={disputes}
      sub={({ dispute_opened: opened = 0 } = {}, { dispute_status }) =>
        opened > 0 && (
          <p className="sub">
            {plural(opened, 'dispute needs', 'disputes need')} an answer{dispute_status === 'dispute_opened' && ', the soonest due first'}.
          </p>
        )
      }
    />
  )
}
