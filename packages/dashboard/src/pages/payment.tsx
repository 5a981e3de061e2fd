import { Button } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import type { Attempt, Payment, PaymentAction } from '../api'
import type { PageObject } from '../page-object'
import { Icon } from '../parts/icons'
import { Id } from '../parts/id'
import { partOf } from '../parts/loaded'
import { Money, withCurrency } from '../parts/money'
import { ObjectHead, ObjectPage } from '../parts/object-page'
import { Status } from '../parts/status'
import { Ago } from '../parts/time'
import { usePaymentParts } from '../queries'
import { usePermission, useSession } from '../session'
import { maySync } from '../summaries'
import { About } from './payment/about'
import { MoneyPanel } from './payment/money-panel'
import { RoutingPanel } from './payment/routing-panel'
import { Timeline } from './payment/timeline'

const Dialogs = lazy(() => import('./payment/actions'))
export type Asked = 'refund' | 'capture' | 'cancel' | 'expire' | 'sync'

type Actions = readonly PaymentAction[]

/** Shows buttons for the actions that the payment allows now. The most likely action has the filled button. */
function Buttons({ payment, actions, ask }: { payment: Payment; actions: Actions; ask(what: Asked): void }): ReactElement {
  const may = (action: PaymentAction['action']) => actions.some(one => one.action === action && one.allowed)
  const { user } = useSession()
  if (!usePermission()('payments:write')) return <p className="muted acts">Your role, {user?.role}, does not move money.</p>
  return (
    <div className="acts">
      {maySync(payment) && (
        <Button
          variant={may('capture') || may('refund') ? 'default' : 'filled'}
          leftSection={<Icon name="again" />}
          onClick={() => ask('sync')}
        >
          Poll the processor
        </Button>
      )}
      {may('cancel') && (
        <Button variant="default" onClick={() => ask('cancel')}>
          Cancel…
        </Button>
      )}
      {may('expire_session') && (
        <Button variant="default" onClick={() => ask('expire')}>
          End the session…
        </Button>
      )}
      {may('refund') && (
        <Button variant={may('capture') ? 'default' : 'filled'} leftSection={<Icon name="back" />} onClick={() => ask('refund')}>
          Refund…
        </Button>
      )}
      {may('capture') && <Button onClick={() => ask('capture')}>Capture…</Button>}
    </div>
  )
}

function Head({ payment, actions, ask }: { payment: Payment; actions: Actions; ask(what: Asked): void }): ReactElement {
  return (
    <ObjectHead
      list={{ to: '/payments', name: 'Payments' }}
      title={<Money amount={payment.amount} currency={payment.currency} />}
      isAmount
      status={<Status status={payment.status} pill />}
      sub={
        <>
          {payment.customer?.name && <span>{payment.customer.name}</span>}
          {payment.merchant_order_reference_id && <span className="mono">{payment.merchant_order_reference_id}</span>}
          <Ago at={payment.created} />
          <Id id={payment.payment_id} />
        </>
      }
      acts={<Buttons payment={payment} actions={actions} ask={ask} />}
    />
  )
}

function useActs(payment: Payment | undefined, actions: Actions, ask: (what: Asked) => void): PageObject['acts'] {
  const may = usePermission()
  const navigate = useNavigate()
  if (payment === undefined) return []
  const { payment_id } = payment
  const mayWrite = may('payments:write')
  const isAllowed = (name: PaymentAction['action']) => mayWrite && actions.some(({ action, allowed }) => action === name && allowed)
  const test = () => void navigate({ to: '/routing/try', search: { payment_id } })
  return [
    ...(isAllowed('refund') ? [{ name: 'Refund…', icon: 'back', key: 'r', run: () => ask('refund') } as const] : []),
    ...(isAllowed('capture') ? [{ name: 'Capture…', icon: 'tick', run: () => ask('capture') } as const] : []),
    ...(mayWrite && maySync(payment) ? [{ name: 'Poll the processor', icon: 'again', key: 'a', run: () => ask('sync') } as const] : []),
    ...(may('routing:simulate') ? [{ name: 'Test its routing', icon: 'mark', key: 'A', run: test } as const] : []),
  ]
}

export default function PaymentPage(): ReactElement {
  const { payment_id = '' } = useParams({ strict: false })
  const [dialog, setDialog] = useState<Asked | null>(null)
  const parts = usePaymentParts(payment_id)
  const actions = parts.actions.data ?? []
  const operations = parts.operations.data?.data ?? []
  const asked = partOf(parts.payment, found => found as Payment)
  const acts = useActs(asked.data, actions, setDialog)
  const mayTest = usePermission()('routing:simulate')
  return (
    <ObjectPage
      kind="payment"
      asked={asked}
      object={({ amount, currency, status }) => ({
        id: payment_id,
        name: `Payment of ${withCurrency(amount, currency)}`,
        read: `/payments/${payment_id}`,
        tab: `${withCurrency(amount, currency)}, ${status}`,
        acts,
      })}
    >
      {payment => (
        <>
          <Head payment={payment} actions={actions} ask={setDialog} />
          <div className="beside">
            <div className="stack">
              <MoneyPanel payment={payment} lines={parts.timeline.data?.data} operations={operations} sync={() => setDialog('sync')} />
              <RoutingPanel
                attempts={(payment.attempts ?? []) as Attempt[]}
                operations={operations}
                acts={
                  mayTest && (
                    <Link to="/routing/try" search={{ payment_id }} className="link">
                      Test its routing
                    </Link>
                  )
                }
              />
              <Timeline payment_id={payment_id} asked={parts.timeline} operations={operations} />
            </div>
            <About payment={payment} actions={actions} />
          </div>
          <Suspense>
            {dialog !== null && <Dialogs payment={payment} actions={actions} asked={dialog} close={() => setDialog(null)} />}
          </Suspense>
        </>
      )}
    </ObjectPage>
  )
}
