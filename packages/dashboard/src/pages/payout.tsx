import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import type { Payout, Schemas } from '../api'
import type { PageObject } from '../page-object'
import { Icon } from '../parts/icons'
import { Id } from '../parts/id'
import { EntriesPanel } from '../parts/ledger-entries'
import { Money, withCurrency } from '../parts/money'
import { ObjectHead, ObjectPage } from '../parts/object-page'
import { Status } from '../parts/status'
import { Ago } from '../parts/time'
import { usePayoutParts } from '../queries'
import { usePermission, useSession } from '../session'
import { familyOfPayout, payeeOf } from '../summaries'
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
    <ObjectHead
      list={{ to: '/payouts', name: 'Payouts' }}
      title={<Money amount={payout.amount} currency={payout.currency} />}
      isAmount
      status={<Status status={payout.status} family={familyOfPayout(payout)} pill />}
      sub={
        <>
          {payeeOf(payout) && <span>{payeeOf(payout)}</span>}
          {payout.merchant_order_reference_id && <span className="mono">{payout.merchant_order_reference_id}</span>}
          <Ago at={payout.created} />
          <Id id={payout.payout_id} />
        </>
      }
      acts={<Buttons {...props} />}
    />
  )
}

export default function PayoutPage(): ReactElement {
  const { payout_id = '' } = useParams({ strict: false })
  const [dialog, setDialog] = useState<AskedOfPayout | null>(null)
  const permitted = usePermission()
  const mayReadLogs = permitted('logs:read')
  const mayWrite = permitted('payouts:write')
  const parts = usePayoutParts(payout_id, mayReadLogs)
  const may = (action: Action['action']) => parts.actions.data?.some(one => one.action === action && one.allowed) ?? false
  const operations = parts.operations.data?.data ?? []
  const nameOf = ({ amount, currency }: Payout) => `Payout of ${withCurrency(amount, currency)}`
  const actsOf = (payout: Payout): PageObject['acts'] => [
    ...(mayWrite && may('fulfill') ? [{ name: 'Fulfill…', icon: 'up', run: () => setDialog('fulfill') } as const] : []),
    ...(mayWrite && may('confirm') ? [{ name: 'Confirm…', icon: 'tick', run: () => setDialog('confirm') } as const] : []),
    ...(mayWrite && mayAsk(payout) ? [{ name: 'Poll the processor', icon: 'again', key: 'a', run: () => setDialog('sync') } as const] : []),
  ]
  return (
    <ObjectPage
      kind="payout"
      asked={parts.payout}
      object={payout => ({
        id: payout_id,
        name: nameOf(payout),
        read: `/payouts/${payout_id}`,
        tab: `${nameOf(payout)}, ${payout.status}`,
        acts: actsOf(payout),
      })}
    >
      {payout => (
        <>
          <Head payout={payout} may={may} ask={setDialog} />
          <div className="beside">
            <div className="stack">
              <PayoutStatusNote payout={payout} operations={operations} />
              <RoutingPanel attempts={payout.attempts ?? []} operations={operations} />
              <OperationsPanel payout_id={payout_id} operations={parts.operations} />
              {mayReadLogs && <EventsPanel events={parts.events} />}
              <EntriesPanel object_id={payout_id} since={payout.status} />
            </div>
            <AboutPayout payout={payout} actions={parts.actions.data ?? []} />
          </div>
          <Suspense>{dialog !== null && <Dialogs payout={payout} asked={dialog} close={() => setDialog(null)} />}</Suspense>
        </>
      )}
    </ObjectPage>
  )
}
