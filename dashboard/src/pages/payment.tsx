import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react'
import { mayCancel, mayCapture, maySync, sumsOf } from '../facts'
import { answer, GET, type Payment } from '../interface'
import { usePageKeys } from '../keys'
import { Failed } from '../parts/failed'
import { Icon } from '../parts/icons'
import { Id } from '../parts/id'
import { Money, withCurrency } from '../parts/money'
import { Status } from '../parts/status'
import { Ago } from '../parts/time'
import { About } from './payment/about'
import { Happened } from './payment/happened'
import { MoneyPanel } from './payment/money-panel'
import { WhyThere } from './payment/why-there'

const Actions = lazy(() => import('./payment/actions'))
export type Asked = 'refund' | 'capture' | 'cancel' | 'sync'

/** Everything that may be asked of the payment as it is; the most likely one is the dark one. */
function Buttons({ payment, ask }: { payment: Payment; ask(what: Asked): void }): ReactElement {
  const { left } = sumsOf(payment)
  const [canCapture, canRefund] = [mayCapture(payment), left > 0]
  return (
    <div className="acts">
      {maySync(payment) && (
        <Button variant={canCapture || canRefund ? 'default' : 'filled'} leftSection={<Icon name="again" />} onClick={() => ask('sync')}>
          Ask the processor
        </Button>
      )}
      {mayCancel(payment) && (
        <Button variant="default" onClick={() => ask('cancel')}>
          Cancel…
        </Button>
      )}
      {canRefund && (
        <Button variant={canCapture ? 'default' : 'filled'} leftSection={<Icon name="back" />} onClick={() => ask('refund')}>
          Refund…
        </Button>
      )}
      {canCapture && <Button onClick={() => ask('capture')}>Capture…</Button>}
    </div>
  )
}

function Head({ payment, ask }: { payment: Payment; ask(what: Asked): void }): ReactElement {
  return (
    <div className="head">
      <div>
        <Link to="/payments" className="link">
          Payments
        </Link>
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
      <Buttons payment={payment} ask={ask} />
    </div>
  )
}

export default function PaymentPage(): ReactElement {
  const { payment_id = '' } = useParams({ strict: false })
  const [asked, setAsked] = useState<Asked | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['payments', payment_id],
    queryFn: () =>
      answer(GET('/payments/{payment_id}', { params: { path: { payment_id }, query: { expand_attempts: true, expand_captures: true } } })),
  })
  const payment = data as Payment | undefined
  useEffect(() => {
    document.title = payment ? `${withCurrency(payment.amount, payment.currency)}, ${payment.status} · Switchyard` : 'Payment · Switchyard'
  }, [payment])
  const canRefund = payment !== undefined && sumsOf(payment).left > 0
  const canSync = payment !== undefined && maySync(payment)
  usePageKeys({ ...(canRefund && { r: () => setAsked('refund') }), ...(canSync && { a: () => setAsked('sync') }) })
  if (payment === undefined)
    return error ? (
      <>
        <h1 className="unseen">Payment</h1>
        <Failed what="payment" error={error} again={() => void refetch()} />
      </>
    ) : (
      <h1 className="unseen">Payment</h1>
    )
  return (
    <>
      <Head payment={payment} ask={setAsked} />
      <div className="beside">
        <div className="stack">
          <MoneyPanel payment={payment} sync={() => setAsked('sync')} />
          <WhyThere payment={payment} />
          <Happened payment={payment} />
        </div>
        <About payment={payment} />
      </div>
      {asked !== null && (
        <Suspense>
          <Actions payment={payment} asked={asked} close={() => setAsked(null)} />
        </Suspense>
      )}
    </>
  )
}
