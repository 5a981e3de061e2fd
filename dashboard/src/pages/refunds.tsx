import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactElement, useEffect } from 'react'
import { plural, useChoices, useLabels } from '../facts'
import { answer, POST, type Refund, type Schemas } from '../interface'
import { Blank, curlOf } from '../parts/blank'
import { type Chosen, type Filter, Filters, useChosen } from '../parts/filters'
import { Id, shortId } from '../parts/id'
import { type Column, List, Pages } from '../parts/list'
import { Money } from '../parts/money'
import { Status } from '../parts/status'
import { Ago } from '../parts/time'

const LIMIT = 50

const columnsWith = (labelOf: ReturnType<typeof useLabels>): Column<Refund>[] => [
  { name: 'Amount', right: true, cell: refund => <Money amount={refund.amount} currency={refund.currency} /> },
  { name: 'Status', cell: refund => <Status status={refund.status} /> },
  {
    name: 'Payment',
    cell: refund => (
      <Link to="/payments/$payment_id" params={{ payment_id: refund.payment_id }} className="link mono">
        {shortId(refund.payment_id)}
      </Link>
    ),
  },
  { name: 'Account', cell: refund => labelOf(refund.merchant_connector_id, refund.connector) },
  { name: 'Reason', wide: true, cell: refund => refund.reason ?? <span className="faint">–</span> },
  { name: 'Id', wide: true, cell: refund => <Id id={refund.refund_id} short /> },
  { name: 'Created', right: true, cell: refund => <Ago at={refund.created_at} /> },
]

const filtersOf = (connectors: readonly string[], currencies: readonly string[]): Filter[] => {
  const choices = (values: readonly string[]) => values.map(value => ({ value, label: value }))
  return [
    { name: 'refund_status', label: 'Status', kind: 'any of', choices: choices(['succeeded', 'pending', 'failed', 'review']) },
    { name: 'connector', label: 'Processor', kind: 'any of', choices: choices(connectors) },
    { name: 'currency', label: 'Currency', kind: 'any of', choices: choices(currencies) },
    { name: 'payment_id', label: 'Payment', kind: 'text', hint: 'pay_…' },
  ]
}

export default function Refunds(): ReactElement {
  const chosen = useChosen()
  const navigate = useNavigate()
  const labelOf = useLabels()
  const { data: choices } = useChoices()
  const { offset = '0', ...rest } = chosen
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['refunds', 'list', chosen],
    queryFn: () => {
      const lists = ['refund_status', 'connector', 'currency'].flatMap(name => (chosen[name] ? [[name, chosen[name].split(',')]] : []))
      const body = {
        ...(chosen.payment_id && { payment_id: chosen.payment_id }),
        ...Object.fromEntries(lists),
        limit: LIMIT,
        offset: Number(offset),
      }
      return answer(POST('/refunds/list', { body: body as Schemas['SearchRefundsRequest'] }))
    },
    placeholderData: keepPreviousData,
  })
  useEffect(() => {
    document.title = 'Refunds · Switchyard'
  }, [])
  const show = (search: Chosen) => void navigate({ to: '/refunds', search })
  const at = Number(offset)
  const total = data?.total_count ?? 0
  const isFiltered = Object.values(rest).some(Boolean)
  return (
    <>
      <div className="head">
        <h1>Refunds</h1>
      </div>
      <Filters
        filters={filtersOf(Object.keys(choices?.connector ?? {}), choices?.currency ?? [])}
        chosen={chosen}
        choose={(name, value) => show({ ...rest, [name]: value })}
      />
      <List
        of="Refunds"
        columns={columnsWith(labelOf)}
        rows={data?.data}
        error={error}
        isStale={isPlaceholderData}
        again={() => void refetch()}
        idOf={refund => refund.refund_id}
        to={refund => `/refunds/${refund.refund_id}`}
        empty={
          <Blank
            clear={isFiltered ? () => show({}) : null}
            title="No refunds yet."
            hint="A refund begins on the page of its payment."
            curl={curlOf('/refunds', { payment_id: 'pay_…', amount: 5000 })}
          />
        }
        foot={
          data && (
            <Pages
              newer={at > 0 ? () => show({ ...rest, offset: at > LIMIT ? String(at - LIMIT) : '' }) : null}
              older={at + data.data.length < total ? () => show({ ...rest, offset: String(at + LIMIT) }) : null}
              says={plural(total, 'refund')}
            />
          )
        }
      />
    </>
  )
}
