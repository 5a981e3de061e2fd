import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactElement, useEffect } from 'react'
import type { paths } from '../../.made/interface'
import { paidWith, plural, useChoices } from '../facts'
import { answer, GET, type Payment } from '../interface'
import { Blank, curlOf } from '../parts/blank'
import { type Chosen, type Filter, Filters, useChosen } from '../parts/filters'
import { Icon } from '../parts/icons'
import { Id, shortId } from '../parts/id'
import { type Column, List, Pages } from '../parts/list'
import { Money } from '../parts/money'
import { SampleData } from '../parts/sample-data'
import { type Family, familyOf, Status, StatusMark } from '../parts/status'
import { Tabs } from '../parts/tabs'
import { Ago } from '../parts/time'

const LIMIT = 50
const FIRST_TABS = ['succeeded', 'requires_capture', 'processing', 'requires_customer_action', 'failed']
const personal = 'requires_merchant_action,conflicted,review'

const DAY = 86_400_000
/** The longest period; without one, tabs count this one. */
const LONGEST = '90'
const periods = [
  { value: '1', label: 'last 24 hours' },
  { value: '7', label: 'last 7 days' },
  { value: '30', label: 'last 30 days' },
  { value: '90', label: 'last 90 days' },
]
/** To the minute: the same filter is the same question for a while, and is asked once. */
const since = (days: string | undefined): string | undefined =>
  days ? new Date(Math.floor((Date.now() - Number(days) * DAY) / 60_000) * 60_000).toISOString() : undefined

const many = (value: string | undefined) => (value ? value.split(',') : undefined)
type Query = paths['/payments/list']['get']['parameters']['query']

/** What is asked of the interface for an address of this page. */
function queryOf(chosen: Chosen): Query {
  const { status, connector, currency, payment_method, card_network, merchant_connector_id, days, ...plain } = chosen
  const lists = { status, connector, currency, payment_method, card_network, merchant_connector_id }
  const set = Object.entries(lists).flatMap(([name, value]) => (value ? [[name, many(value)]] : []))
  return { ...plain, ...Object.fromEntries(set), 'created.gte': since(days), limit: LIMIT, expand_attempts: true } as Query
}

/** The payments of these filters as a file, by the interface itself. */
function exportOf(chosen: Chosen): string {
  const { limit: _, expand_attempts: __, starting_after: ___, ending_before: ____, ...query } = queryOf(chosen) as Record<string, unknown>
  const set = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  return `/payments/export?${new URLSearchParams([...set.map(([name, value]) => [name, String(value)]), ['format', 'csv']])}`
}

function useFilters(): Filter[] {
  const { data } = useChoices()
  const choices = (values: readonly string[] | undefined) => (values ?? []).map(value => ({ value, label: value }))
  return [
    { name: 'days', label: 'Created', kind: 'one of', choices: periods },
    { name: 'status', label: 'Status', kind: 'any of', choices: choices(data?.status) },
    { name: 'connector', label: 'Processor', kind: 'any of', choices: choices(Object.keys(data?.connector ?? {})) },
    { name: 'currency', label: 'Currency', kind: 'any of', choices: choices(data?.currency) },
    { name: 'payment_method', label: 'Method', kind: 'any of', choices: choices(data?.payment_method as string[] | undefined) },
    { name: 'card_network', label: 'Network', kind: 'any of', choices: choices(data?.card_network) },
    { name: 'customer_id', label: 'Customer', kind: 'text', hint: 'customer_id' },
    { name: 'customer_email', label: 'E-mail', kind: 'text', hint: 'their address now' },
    { name: 'merchant_order_reference_id', label: 'Order', kind: 'text', hint: 'your order number' },
  ]
}

/** Attempts one after the other, joined by a line; of more than two only the last is named. */
function WentTo({ payment }: { payment: Payment }): ReactElement {
  const route = payment.route ?? []
  if (route.length === 0) return <span className="faint">nobody yet</span>
  return (
    <span className="track">
      {route.map(({ merchant_connector_id, connector_label, state, error_code }, at) => {
        const isLast = at === route.length - 1
        const says = [connector_label ?? merchant_connector_id, state, error_code].filter(Boolean).join(', ')
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: attempts stand in their order, and none goes
          <span key={at} className="stop" title={says}>
            <StatusMark family={familyOfStop(state, isLast ? payment.status : null)} size={12} />
            {isLast || route.length <= 2 ? (
              <span className={isLast ? 'cut' : 'cut muted'}>{connector_label ?? shortId(merchant_connector_id)}</span>
            ) : (
              <span className="unseen">{says}</span>
            )}
            {!isLast && <i className="line" />}
          </span>
        )
      })}
    </span>
  )
}

/** What was authorized is held until it is captured: the payment says which. */
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

/** How many there are of each status in the period. */
function useCounts(days: string | undefined): Record<string, number> | undefined {
  const start_time = since(days ?? LONGEST)!
  const { data } = useQuery({
    queryKey: ['payments', 'counts', start_time],
    queryFn: () => answer(GET('/payments/aggregate', { params: { query: { start_time } } })),
    placeholderData: keepPreviousData,
  })
  return data?.status_with_count as Record<string, number> | undefined
}

const tabs = [...FIRST_TABS.map(status => ({ name: status, values: status })), { name: 'Needs a person', values: personal }]

const FIRST = curlOf('/payments', {
  amount: 24900,
  currency: 'EUR',
  confirm: true,
  payment_method: 'card',
  payment_method_data: { card: { card_number: '4242424242424242', card_exp_month: '12', card_exp_year: '2030', card_cvc: '123' } },
})

/** Whether only the period hides what there is, and how many that are: of the statuses alone the aggregate counts. */
function Elsewhere({ chosen }: { chosen: Chosen }): ReactElement | null {
  const { days, status, starting_after: _, ending_before: __, ...others } = chosen
  const isShort = days !== undefined && days !== LONGEST
  const isCounted = !Object.values(others).some(Boolean)
  const start_time = since(LONGEST)!
  const { data: counts } = useQuery({
    queryKey: ['payments', 'counts', start_time],
    queryFn: () => answer(GET('/payments/aggregate', { params: { query: { start_time } } })),
    enabled: isShort && isCounted,
  })
  const { data: some } = useQuery({
    queryKey: ['payments', 'any', others, status],
    queryFn: () => answer(GET('/payments/list', { params: { query: { ...queryOf({ ...chosen, days: LONGEST }), limit: 1 } as Query } })),
    enabled: isShort && !isCounted,
  })
  const byStatus = Object.entries((counts?.status_with_count ?? {}) as Record<string, number>)
  const count = byStatus.reduce((all, [name, n]) => all + (!status || status.split(',').includes(name) ? n : 0), 0)
  if (count > 0) return <p>{`There are ${count.toLocaleString('en')} in the last ${LONGEST} days.`}</p>
  return some && some.data.length > 0 ? <p>{`There are some in the last ${LONGEST} days.`}</p> : null
}

export default function Payments(): ReactElement {
  const chosen = useChosen()
  const navigate = useNavigate()
  const filters = useFilters()
  const counts = useCounts(chosen.days)
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['payments', 'list', chosen],
    queryFn: () => answer(GET('/payments/list', { params: { query: queryOf(chosen) } })),
    placeholderData: keepPreviousData,
  })
  useEffect(() => {
    document.title = 'Payments · Switchyard'
  }, [])
  const { starting_after, ending_before, ...rest } = chosen
  const show = (search: Chosen) => void navigate({ to: '/payments', search })
  const rows = data?.data
  const isFull = rows?.length === LIMIT
  const older = isFull || (ending_before && rows?.length) ? () => show({ ...rest, starting_after: rows!.at(-1)!.payment_id }) : null
  const newer =
    rows?.length && (starting_after || (ending_before && isFull)) ? () => show({ ...rest, ending_before: rows[0]!.payment_id }) : null
  return (
    <>
      <div className="head">
        <h1>Payments</h1>
        {rows && rows.length > 0 && (
          <div className="acts">
            <Button component="a" variant="default" leftSection={<Icon name="down" />} href={exportOf(chosen)} download>
              Export CSV
            </Button>
          </div>
        )}
      </div>
      <Tabs to="/payments" name="status" chosen={chosen} tabs={tabs} counts={counts} />
      <Filters filters={filters} chosen={chosen} choose={(name, value) => show({ ...rest, [name]: value })} />
      <List
        of="Payments"
        columns={columns}
        rows={rows}
        error={error}
        isStale={isPlaceholderData}
        again={() => void refetch()}
        idOf={payment => payment.payment_id}
        to={payment => `/payments/${payment.payment_id}`}
        empty={
          <Blank
            clear={Object.values(chosen).some(Boolean) ? () => show({}) : null}
            elsewhere={<Elsewhere chosen={chosen} />}
            title="No payments yet."
            hint="This makes one; card 4242 4242 4242 4242 is approved."
            curl={FIRST}
          >
            <SampleData />
          </Blank>
        }
        foot={rows && <Pages older={older} newer={newer} says={plural(rows.length, 'payment')} />}
      />
    </>
  )
}
