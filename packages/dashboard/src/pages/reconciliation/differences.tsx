import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import type { paths } from '../../../.made/interface'
import { answer, GET } from '../../api'
import { plural } from '../../format'
import { AccountName, none } from '../../parts/cells'
import { Export } from '../../parts/export'
import { Icon } from '../../parts/icons'
import { ObjectLink, shortId } from '../../parts/id'
import { Loaded } from '../../parts/loaded'
import { Money, withCurrency } from '../../parts/money'
import { More } from '../../parts/more'
import { Note } from '../../parts/note'
import { usePages } from '../../parts/pages'
import { processorName } from '../../parts/processor'
import { type TableColumn, TablePanel } from '../../parts/table'
import { dayInWords } from '../../parts/time'
import { useAccountsByLabel } from '../../queries'
import { usePermission, useSession } from '../../session'
import { usePageShortcuts } from '../../shortcuts'
import { causes, type Difference, differenceIn, explain, kindOfLine, sumsOf } from './causes'

const Resolve = lazy(() => import('./resolve'))

type Query = NonNullable<paths['/reconciliation/differences']['get']['parameters']['query']>

/** Shows the amount of one side, or that this side has none. */
function Side({ amount, currency }: { amount: number | null; currency: string | null }): ReactElement {
  return amount === null || currency === null ? <span className="faint">none</span> : <Money amount={amount} currency={currency} />
}

/** Returns the amounts of both sides: of a change, the side here is what was read first. */
const sidesOf = ({ cause, ours, ours_currency, theirs, currency }: Difference) => ({
  here: { amount: ours, currency: ours_currency ?? currency },
  there: { amount: cause === 'missing_there' ? null : theirs, currency },
})

/** Shows what a payment has been settled with so far. */
function SettledSoFar({ payment_id }: { payment_id: string }): ReactElement {
  const asked = useQuery({
    queryKey: ['reconciliation', 'payment', payment_id],
    queryFn: () => answer(GET('/reconciliation/payments/{payment_id}', { params: { path: { payment_id } } })),
  })
  return (
    <Loaded what="What was settled of it" asked={asked}>
      {found =>
        found?.settled.length === 0
          ? 'nothing'
          : found?.settled.map(({ currency, gross, fee }) => (
              <p key={currency}>
                {withCurrency(gross, currency)}, of which {withCurrency(fee, currency)} was kept as a fee
              </p>
            ))
      }
    </Loaded>
  )
}

/** Shows all that is known of a difference: here, in the report, in the payout. */
function Whole({ difference }: { difference: Difference }): ReactElement {
  const { object_id, reference, payment_reference, request_id, batch, line, type, booked_at, fee, currency, merchant_connector_id } =
    difference
  const lines = [
    ['Here', object_id && <ObjectLink id={object_id} whole />],
    ['Settled so far', object_id && <SettledSoFar payment_id={object_id} />],
    ['Account', <AccountName key="account" of={{ merchant_connector_id }} />],
    ['In the report', type && `${kindOfLine(type)}${line === null ? '' : `, line ${line.toLocaleString('en')}`}`],
    ['Their reference', reference ?? payment_reference],
    ['Our request', request_id],
    ['Fee', fee !== null && currency !== null && fee !== 0 && withCurrency(fee, currency)],
    ['Booked', booked_at && dayInWords(booked_at)],
    ['Payout', batch],
  ] as const
  return (
    <dl className="kv">
      {lines
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

function What({ difference, isOpen, toggle }: { difference: Difference; isOpen: boolean; toggle(): void }): ReactElement {
  const { object_id, reference, payment_reference, batch, cause, line } = difference
  const name = object_id ? 'Payment' : cause === 'payout_differs' ? 'Payout' : 'No payment here'
  const about =
    object_id ?? (cause === 'payout_differs' ? batch : (reference ?? payment_reference ?? (line === null ? null : `line ${line}`)))
  return (
    <button type="button" className="fold" aria-expanded={isOpen} onClick={toggle} data-difference={difference.difference_id}>
      <Icon name={isOpen ? 'lower' : 'right'} size={12} />
      <span className="grow">
        <b className="strong">{name}</b>
        <span className="cut-block muted cut" title={about ?? undefined}>
          {about === null ? 'not named' : shortId(about)}
        </span>
      </span>
    </button>
  )
}

/** Moves the focus to the next or previous difference. */
function step(by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>('[data-difference]')]
  const at = all.findIndex(one => one.closest('tr')?.contains(document.activeElement))
  all[at === -1 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))]?.focus()
}

const resolveFocused = (): void => document.activeElement?.closest('tr')?.querySelector<HTMLElement>('[data-resolve]')?.click()

/** Returns what the button of a difference says. */
const labelOf = ({ cause }: Difference): string =>
  cause === 'missing_there' ? 'Leave owed…' : causes[cause].ways[0] === 'link' ? 'Link…' : 'Accept…'

type ColumnProps = {
  opened: string | null
  open(id: string | null): void
  resolve(difference: Difference): void
  connectorOf(difference: Difference): string | undefined
}

/** Returns the columns of the table, with the button for each difference. */
function useColumns({ opened, open, resolve, connectorOf }: ColumnProps): TableColumn<Difference>[] {
  const mayWrite = usePermission()('ledger:write')
  const { user } = useSession()
  return [
    {
      name: 'Of',
      cell: difference => (
        <What
          difference={difference}
          isOpen={difference.difference_id === opened}
          toggle={() => open(difference.difference_id === opened ? null : difference.difference_id)}
        />
      ),
    },
    { name: 'Here', right: true, cell: difference => <Side {...sidesOf(difference).here} /> },
    { name: 'Their report', right: true, cell: difference => <Side {...sidesOf(difference).there} /> },
    {
      name: 'Difference',
      right: true,
      cell: difference => {
        const gap = differenceIn(difference)
        return gap === null ? (
          none
        ) : (
          <span className={`c-${causes[difference.cause].family}`}>
            {gap.amount > 0 && '+'}
            <Money {...gap} />
          </span>
        )
      },
    },
    {
      name: 'Cause',
      look: 'says',
      cell: difference => (
        <>
          <b className="strong">{causes[difference.cause].title}</b>
          <span className="cut-block muted">{explain(difference, connectorOf(difference))}</span>
        </>
      ),
    },
    {
      name: '',
      right: true,
      cell: difference => (
        <Button
          variant="default"
          size="xs"
          data-resolve
          disabled={!mayWrite}
          title={mayWrite ? undefined : `Your role, ${user?.role}, does not resolve differences.`}
          onClick={() => resolve(difference)}
        >
          {labelOf(difference)}
        </Button>
      ),
    },
  ]
}

/** Shows every difference that is open: its figures, its cause, and the button that ends it. */
export function Differences({ filters }: { filters: Pick<Query, 'merchant_connector_id' | 'settlement_file_id'> }): ReactElement {
  const accounts = useAccountsByLabel()
  const [opened, setOpened] = useState<string | null>(null)
  const [resolved, setResolved] = useState<Difference | null>(null)
  const [notice, setNotice] = useState<string | null>(null)
  const query = { ...filters, state: 'open' as const }
  const pages = usePages(
    ['reconciliation', 'differences', query],
    starting_after =>
      answer(GET('/reconciliation/differences', { params: { query: { ...query, limit: 50, ...(starting_after && { starting_after }) } } })),
    ({ difference_id }) => difference_id,
  )
  usePageShortcuts({ j: () => step(1), k: () => step(-1), b: resolveFocused })
  const connectorOf = ({ merchant_connector_id }: Difference) =>
    accounts.find(one => one.merchant_connector_id === merchant_connector_id)?.connector
  const columns = useColumns({ opened, open: setOpened, resolve: setResolved, connectorOf })
  const rows = pages.data
  const sums = sumsOf(rows?.map(differenceIn) ?? [])
  const connector = resolved && connectorOf(resolved)
  return (
    <>
      {notice !== null && (
        <Note family="done" role="status" isSpaced>
          {notice}
        </Note>
      )}
      <TablePanel
        isPaired
        title="What differs"
        hint={rows && (rows.length === 0 ? undefined : pages.hasMore ? `the latest ${rows.length}` : `${rows.length} open`)}
        acts={rows && rows.length > 0 && <Export of={{ path: '/reconciliation/differences' }} filters={query} needs="ledger:read" />}
        asked={pages}
        none={<p className="blank">Nothing: every cent that was read is matched or settled.</p>}
        keyOf={({ difference_id }) => difference_id}
        actions="What can be done"
        beneath={difference => (difference.difference_id === opened ? <Whole difference={difference} /> : null)}
        columns={columns}
        foot={
          rows && rows.length > 0 ? (
            <More of={pages}>
              <b className="strong num">
                {plural(rows.length, 'difference')}
                {pages.hasMore && ' shown'}
                {sums.length > 0 &&
                  `: ${sums.map(({ amount, currency }) => `${amount > 0n ? '+' : ''}${withCurrency(amount, currency)}`).join(', ')}`}
              </b>
              <span className="wide">
                <kbd>j</kbd> <kbd>k</kbd> move <kbd>enter</kbd> all sides <kbd>b</kbd> settle
              </span>
            </More>
          ) : undefined
        }
      />
      <Suspense>
        {resolved !== null && (
          <Resolve
            difference={resolved}
            who={connector ? processorName(connector) : 'the processor'}
            close={() => setResolved(null)}
            done={setNotice}
          />
        )}
      </Suspense>
    </>
  )
}
