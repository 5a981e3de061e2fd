import { Button } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react'
import type { Attempt, Payment, PaymentAction } from '../api'
import { usePageObject } from '../page-object'
import { Breadcrumb } from '../parts/breadcrumb'
import { Icon } from '../parts/icons'
import { Id } from '../parts/id'
import { LoadError } from '../parts/load-error'
import { Money, withCurrency } from '../parts/money'
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
    <div className="head of-object">
      <Breadcrumb list="/payments" name="Payments" />
      <div>
        <div className="row">
          <h1 className="amount">
            <Money amount={payment.amount} currency={payment.currency} />
          </h1>
          <Status status={payment.status} pill />
        </div>
        <div className="sub">
          {payment.customer?.name && <span>{payment.customer.name}</span>}
          {payment.merchant_order_reference_id && <span className="mono">{payment.merchant_order_reference_id}</span>}
          <Ago at={payment.created} />
          <Id id={payment.payment_id} />
        </div>
      </div>
      <Buttons payment={payment} actions={actions} ask={ask} />
    </div>
  )
}

export default function PaymentPage(): ReactElement {
  const { payment_id = '' } = useParams({ strict: false })
  const [asked, setAsked] = useState<Asked | null>(null)
  const parts = usePaymentParts(payment_id)
  const { error, refetch } = parts.payment
  const payment = parts.payment.data as Payment | undefined
  const actions = parts.actions.data ?? []
  const operations = parts.operations.data?.data ?? []
  const lines = parts.timeline.data?.data
  useEffect(() => {
    document.title = payment ? `${withCurrency(payment.amount, payment.currency)}, ${payment.status} · Switchyard` : 'Payment · Switchyard'
  }, [payment])
  const mayWrite = usePermission()('payments:write')
  const canRefund = mayWrite && actions.some(one => one.action === 'refund' && one.allowed)
  const canCapture = mayWrite && actions.some(one => one.action === 'capture' && one.allowed)
  const canSync = mayWrite && payment !== undefined && maySync(payment)
  const mayTry = usePermission()('routing:simulate')
  const navigate = useNavigate()
  usePageObject(
    payment === undefined
      ? null
      : {
          id: payment_id,
          name: `Payment of ${withCurrency(payment.amount, payment.currency)}`,
          read: `/payments/${payment_id}`,
          acts: [
            ...(canRefund ? [{ name: 'Refund…', icon: 'back' as const, key: 'r', run: () => setAsked('refund') }] : []),
            ...(canCapture ? [{ name: 'Capture…', icon: 'tick' as const, run: () => setAsked('capture') }] : []),
            ...(canSync ? [{ name: 'Poll the processor', icon: 'again' as const, key: 'a', run: () => setAsked('sync') }] : []),
            ...(mayTry
              ? [
                  {
                    name: 'Test its routing',
                    icon: 'mark' as const,
                    key: 'A',
                    run: () => void navigate({ to: '/routing/try', search: { payment_id } }),
                  },
                ]
              : []),
          ],
        },
  )
  if (payment === undefined)
    return error ? (
      <>
        <h1 className="unseen">Payment</h1>
        <LoadError what="payment" error={error} retry={() => void refetch()} />
      </>
    ) : (
      <h1 className="unseen">Payment</h1>
    )
  return (
    <>
      <Head payment={payment} actions={actions} ask={setAsked} />
      <div className="beside">
        <div className="stack">
          <MoneyPanel payment={payment} lines={lines} operations={operations} sync={() => setAsked('sync')} />
          <RoutingPanel
            attempts={(payment.attempts ?? []) as Attempt[]}
            operations={operations}
            acts={
              mayTry && (
                <Link to="/routing/try" search={{ payment_id }} className="link">
                  Test its routing
                </Link>
              )
            }
          />
          <Timeline
            payment_id={payment_id}
            lines={lines}
            operations={operations}
            error={parts.timeline.error}
            again={() => void parts.timeline.refetch()}
          />
        </div>
        <About payment={payment} actions={actions} />
      </div>
      {asked !== null && (
        <Suspense>
          <Dialogs payment={payment} actions={actions} asked={asked} close={() => setAsked(null)} />
        </Suspense>
      )}
    </>
  )
}
