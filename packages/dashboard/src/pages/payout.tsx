import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react'
import type { Payout, Schemas } from '../api'
import { usePageObject } from '../page-object'
import { Breadcrumb } from '../parts/breadcrumb'
import { Icon } from '../parts/icons'
import { Id } from '../parts/id'
import { EntriesPanel } from '../parts/ledger-entries'
import { LoadError } from '../parts/load-error'
import { Money, withCurrency } from '../parts/money'
import { Status } from '../parts/status'
import { Ago } from '../parts/time'
import { usePayoutParts } from '../queries'
import { usePermission, useSession } from '../session'
import { familyOfPayout, payeeOf, uncertainOf } from '../summaries'
import { RoutingPanel } from './payment/routing-panel'
import { AboutPayout } from './payout/about'
import { EventsPanel, OperationsPanel } from './payout/panels'
import { PayoutStatusNote } from './payout/status-note'

const Dialogs = lazy(() => import('./payout/actions'))
export type AskedOfPayout = 'confirm' | 'fulfill' | 'cancel' | 'sync'

type Action = Schemas['PayoutAction']
type Acts = { payout: Payout; may(action: Action['action']): boolean; ask(what: AskedOfPayout): void }

/** Whether the processor can be queried: it has the payout, and has not reported a final result. */
const mayAsk = ({ status }: Payout): boolean => status === 'pending' || status === 'initiated'

function Buttons({ payout, may, ask }: Acts): ReactElement {
  const { user } = useSession()
  if (!usePermission()('payouts:write')) return <p className="muted acts">Your role, {user?.role}, does not move money.</p>
  return (
    <div className="acts">
      {may('cancel') && (
        <Button variant="default" onClick={() => ask('cancel')}>
          Cancel…
        </Button>
      )}
      {mayAsk(payout) && (
        <Button leftSection={<Icon name="again" />} onClick={() => ask('sync')}>
          Poll the processor
        </Button>
      )}
      {may('confirm') && <Button onClick={() => ask('confirm')}>Confirm…</Button>}
      {may('fulfill') && <Button onClick={() => ask('fulfill')}>Fulfill…</Button>}
    </div>
  )
}

function Head(props: Acts): ReactElement {
  const { payout } = props
  return (
    <div className="head of-object">
      <Breadcrumb list="/payouts" name="Payouts" />
      <div>
        <div className="row">
          <h1 className="amount">
            <Money amount={payout.amount} currency={payout.currency} />
          </h1>
          <Status status={payout.status} family={familyOfPayout(payout)} pill />
        </div>
        <div className="sub">
          {payeeOf(payout) && <span>{payeeOf(payout)}</span>}
          {payout.merchant_order_reference_id && <span className="mono">{payout.merchant_order_reference_id}</span>}
          <Ago at={payout.created} />
          <Id id={payout.payout_id} />
        </div>
      </div>
      <Buttons {...props} />
    </div>
  )
}

export default function PayoutPage(): ReactElement {
  const { payout_id = '' } = useParams({ strict: false })
  const [asked, setAsked] = useState<AskedOfPayout | null>(null)
  const permitted = usePermission()
  const parts = usePayoutParts(payout_id, permitted('logs:read'))
  const { data: payout, error, refetch } = parts.payout
  const may = (action: Action['action']) => parts.actions.data?.some(one => one.action === action && one.allowed) ?? false
  const operations = parts.operations.data?.data ?? []
  useEffect(() => {
    document.title = payout
      ? `Payout of ${withCurrency(payout.amount, payout.currency)}, ${payout.status} · Switchyard`
      : 'Payout · Switchyard'
  }, [payout])
  const mayWrite = permitted('payouts:write')
  usePageObject(
    payout === undefined
      ? null
      : {
          id: payout_id,
          name: `Payout of ${withCurrency(payout.amount, payout.currency)}`,
          read: `/payouts/${payout_id}`,
          acts: [
            ...(mayWrite && may('fulfill') ? [{ name: 'Fulfill…', icon: 'up' as const, run: () => setAsked('fulfill') }] : []),
            ...(mayWrite && may('confirm') ? [{ name: 'Confirm…', icon: 'tick' as const, run: () => setAsked('confirm') }] : []),
            ...(mayWrite && mayAsk(payout)
              ? [{ name: 'Poll the processor', icon: 'again' as const, key: 'a', run: () => setAsked('sync') }]
              : []),
          ],
        },
  )
  if (payout === undefined)
    return (
      <>
        <h1 className="unseen">Payout</h1>
        {error && <LoadError what="payout" error={error} retry={() => void refetch()} />}
      </>
    )
  return (
    <>
      <Head payout={payout} may={may} ask={setAsked} />
      <div className="beside">
        <div className="stack">
          <PayoutStatusNote payout={payout} uncertain={uncertainOf(operations)} />
          <RoutingPanel attempts={payout.attempts ?? []} operations={operations} />
          <OperationsPanel payout_id={payout_id} operations={parts.operations} />
          {permitted('logs:read') && <EventsPanel events={parts.events} />}
          <EntriesPanel object_id={payout_id} since={payout.status} />
        </div>
        <AboutPayout payout={payout} actions={parts.actions.data ?? []} />
      </div>
      {asked !== null && (
        <Suspense>
          <Dialogs payout={payout} asked={asked} close={() => setAsked(null)} />
        </Suspense>
      )}
    </>
  )
}
