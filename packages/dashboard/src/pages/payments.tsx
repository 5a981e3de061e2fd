import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import type { paths } from '../../.made/interface'
import { answer, GET, type Payment } from '../api'
import { plural } from '../format'
import { useLiveList } from '../live'
import { curlOf, EmptyState } from '../parts/empty-state'
import { Export } from '../parts/export'
import { type Filter, Filters } from '../parts/filters'
import { Icon } from '../parts/icons'
import { Id, shortId } from '../parts/id'
import { type Column, List } from '../parts/list'
import { Money, withCurrency } from '../parts/money'
import { CursorPagination } from '../parts/pagination'
import { SampleData } from '../parts/sample-data'
import { Status, StatusMark } from '../parts/status'
import { countOf, LONGEST, useCounts } from '../parts/status-counts'
import { type Family, familyOf } from '../parts/status-families'
import { Tabs } from '../parts/tabs'
import { Ago, Exact } from '../parts/time'
import { useAccountIds, useChoices, useLabels } from '../queries'
import { usePermission } from '../session'
import { paidWith } from '../summaries'
import { choicesOf, LIMIT, periods, questionOf, useView, type View } from '../views'

const NewLink = lazy(() => import('./payments/new-link'))

const FIRST_TABS = ['succeeded', 'requires_capture', 'processing', 'requires_customer_action', 'failed']
const personal = { name: 'Needs attention', values: 'requires_merchant_action,conflicted,review' }
const tabs = [...FIRST_TABS.map(status => ({ name: status, values: status })), personal]

type Query = paths['/payments/list']['get']['parameters']['query']

function useFilters(): Filter[] {
  const { data } = useChoices()
  const labelOf = useLabels()
  const choices = (values: readonly string[] | undefined) => choicesOf(values ?? [])
  const accounts = useAccountIds().map(id => ({ value: id, label: labelOf(id, null) }))
  return [
    { name: 'days', label: 'Created', kind: 'one of', choices: periods },
    { name: 'status', label: 'Status', kind: 'any of', choices: choices(data?.status) },
    { name: 'connector', label: 'Processor', kind: 'any of', choices: choices(Object.keys(data?.connector ?? {})) },
    { name: 'merchant_connector_id', label: 'Account', kind: 'any of', choices: accounts },
    { name: 'currency', label: 'Currency', kind: 'any of', choices: choices(data?.currency) },
    { name: 'payment_method', label: 'Method', kind: 'any of', choices: choices(data?.payment_method as string[] | undefined) },
    { name: 'card_network', label: 'Network', kind: 'any of', choices: choices(data?.card_network) },
    { name: 'error_code', label: 'Code of the decline', kind: 'text', hint: 'card_declined' },
    { name: 'customer_id', label: 'Customer', kind: 'text', hint: 'customer_id' },
    { name: 'customer_email', label: 'E-mail', kind: 'text', hint: 'their address now' },
    { name: 'merchant_order_reference_id', label: 'Order', kind: 'text', hint: 'your order number' },
  ]
}

/**
 * Shows the attempts of a payment in their order, joined by a line. With more than two attempts only the last account
 * is named.
 */
function WentTo({ payment }: { payment: Payment }): ReactElement {
  const route = payment.route ?? []
  if (route.length === 0) return <span className="faint">not asked yet</span>
  return (
    <span className="track">
      {route.map(({ merchant_connector_id, connector_label, state, error_code }, at) => {
        const isLast = at === route.length - 1
        const label = [connector_label ?? merchant_connector_id, state, error_code].filter(Boolean).join(', ')
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: attempts stand in their order, and none goes
          <span key={at} className="stop" title={label}>
            <StatusMark family={familyOfStop(state, isLast ? payment.status : null)} size={12} />
            {isLast || route.length <= 2 ? (
              <span className={isLast ? 'cut' : 'cut muted'}>{connector_label ?? shortId(merchant_connector_id)}</span>
            ) : (
              <span className="unseen">{label}</span>
            )}
            {!isLast && <i className="line" />}
          </span>
        )
      })}
    </span>
  )
}

/**
 * Returns the family of an attempt's state. An authorized amount is held until it is captured; only the payment's
 * status distinguishes the two.
 */
const familyOfStop = (state: string, status: string | null): Family =>
  state === 'done' && status !== null ? familyOf(status) : familyOf(state)

const columns: Column<Payment>[] = [
  { name: 'Amount', right: true, cell: payment => <Money amount={payment.amount} currency={payment.currency} /> },
  { name: 'Status', cell: payment => <Status status={payment.status} /> },
  { name: 'Went to', cell: payment => <WentTo payment={payment} /> },
  { name: 'Paid with', cell: payment => paidWith(payment) ?? <span className="faint">–</span> },
  { name: 'Customer', wide: true, cell: payment => payment.customer?.name ?? payment.customer_id ?? <span className="faint">Guest</span> },
  { name: 'Order', wide: true, cell: payment => payment.merchant_order_reference_id ?? <span className="faint">–</span> },
  { name: 'Id', wide: true, cell: payment => <Id id={payment.payment_id} short /> },
  { name: 'Created', right: true, cell: payment => <Ago at={payment.created} /> },
]

const FIRST = {
  ...{ amount: 24900, currency: 'EUR', confirm: true, payment_method: 'card' },
  payment_method_data: { card: { card_number: '4242424242424242', card_exp_month: '12', card_exp_year: '2030', card_cvc: '123' } },
}

/** Says that there are matching payments outside of the chosen period. */
function Elsewhere({ view }: { view: View }): ReactElement | null {
  const { days, status = '' } = view.filters
  const isShort = days !== undefined && days !== '' && days !== LONGEST
  const counts = useCounts('payments', { ...view.filters, days: LONGEST })
  const many = isShort ? (countOf(counts, status) ?? 0) : 0
  return many > 0 ? <p>{`There are ${many.toLocaleString('en')} in the last ${LONGEST} days.`}</p> : null
}

/** Shows the payment link that was just created, for sending it to the payer. */
function Linked({ payment, done }: { payment: Payment; done(): void }): ReactElement {
  return (
    <div className="note plain spaced" role="status">
      <div className="grow">
        <p className="strong">
          A link to pay {withCurrency(payment.amount, payment.currency)}, until <Exact at={payment.expires_on} />.
        </p>
        <Id id={payment.payment_link?.link} />
      </div>
      <Link to="/payments/$payment_id" params={{ payment_id: payment.payment_id }} className="link">
        The payment
      </Link>
      <Button variant="default" onClick={done}>
        I have it
      </Button>
    </div>
  )
}

export default function Payments(): ReactElement {
  const view = useView('/payments', 'Payments')
  const filters = useFilters()
  const mayWrite = usePermission()('payments:write')
  const counts = useCounts('payments', view.filters)
  const [isAsking, setAsking] = useState(false)
  const [linked, setLinked] = useState<Payment | null>(null)
  const { rows, newer, error, isPlaceholderData, refetch } = useLiveList({
    of: 'payments',
    key: ['payments', 'list', view.chosen],
    ask: () => {
      const query = { ...questionOf(view.chosen), limit: LIMIT, expand_attempts: true } as Query
      return answer(GET('/payments/list', { params: { query } }))
    },
    rowsOf: ({ data }) => data,
    idOf: payment => payment.payment_id,
    isFirst: view.isFirst,
  })
  return (
    <>
      <div className="head">
        <h1>Payments</h1>
        <div className="acts">
          <Export path="/payments/export" view={view} needs="customers:personal" countedBy="status" counts={counts} />
          {mayWrite && (
            <Button leftSection={<Icon name="plus" />} onClick={() => setAsking(true)}>
              Payment link
            </Button>
          )}
        </div>
      </div>
      {linked !== null && <Linked payment={linked} done={() => setLinked(null)} />}
      <Tabs to="/payments" name="status" chosen={view.chosen} tabs={tabs} counts={counts} />
      <Filters filters={filters} chosen={view.chosen} choose={view.choose} every />
      <List
        of="Payments"
        columns={columns}
        rows={rows}
        newer={newer}
        error={error}
        isStale={isPlaceholderData}
        again={() => void refetch()}
        idOf={payment => payment.payment_id}
        to={payment => `/payments/${payment.payment_id}`}
        empty={
          <EmptyState
            clear={view.isFiltered ? () => view.show({}) : null}
            elsewhere={<Elsewhere view={view} />}
            title="No payments yet."
            hint="This makes one; card 4242 4242 4242 4242 is approved."
            curl={curlOf('/payments', FIRST)}
          >
            <SampleData />
          </EmptyState>
        }
        foot={rows && <CursorPagination ids={rows.map(row => row.payment_id)} view={view} text={plural(rows.length, 'payment')} />}
      />
      {isAsking && (
        <Suspense>
          <NewLink currency={rows?.[0]?.currency ?? 'EUR'} made={setLinked} close={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}
