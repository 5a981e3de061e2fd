'use client'

import { type ElementsOptions, loadSwitchyard } from '@switchyard/js'
import { PaymentElement, SwitchyardProvider, useElements, useSwitchyard } from '@switchyard/react'
import { type FormEvent, useEffect, useRef, useState } from 'react'

const words: Record<string, string> = {
  succeeded: 'Paid. Thank you!',
  processing: 'Your payment is on its way.',
  failed: 'The payment was declined. Try another card.',
}

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(path, body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) })
  const said = await answer.json()
  if (!answer.ok) throw new Error(said.error)
  return said
}

type Order = { payment_id: string; client_secret: string }
type Props = { switchyard: string; publishableKey: string; paymentId: string | null }

/** Makes the order and takes its payment. `paymentId`: of a customer who is back from a bank. */
export function Checkout({ switchyard, publishableKey, paymentId }: Props) {
  const [loading] = useState(() => loadSwitchyard(publishableKey, { baseUrl: switchyard }))
  const [order, setOrder] = useState<Order | null>(null)
  const [status, setStatus] = useState<string | null>(null)
  const [says, setSays] = useState('')
  // The same for both times that a component is mounted in development, so that it orders once.
  const key = useRef(crypto.randomUUID())

  const show = (id: string) => ask<{ status: string }>(`/orders/${id}`).then(found => setStatus(found.status))
  useEffect(() => {
    const begin = async () => {
      const found = paymentId ? await ask<{ status: string }>(`/orders/${paymentId}`) : null
      if (found) setStatus(found.status)
      // A declined order is ordered anew.
      if (!found || found.status === 'failed') setOrder(await ask<Order>('/orders', { items: { lamp: 1 }, key: key.current }))
    }
    begin().catch(error => setSays(error.message))
  }, [paymentId])

  const options: ElementsOptions | null = order && { clientSecret: order.client_secret, appearance: { theme: 'auto' } }
  const isOver = status === 'succeeded' || status === 'processing'
  return (
    <>
      {order && !isOver && (
        <SwitchyardProvider switchyard={loading} options={options}>
          <Form onDone={() => show(order.payment_id)} onSays={setSays} />
        </SwitchyardProvider>
      )}
      <output id="says">{says || (status && (words[status] ?? `The payment is ${status}.`))}</output>
    </>
  )
}

function Form({ onDone, onSays }: { onDone(): Promise<void>; onSays(words: string): void }) {
  const switchyard = useSwitchyard()
  const elements = useElements()
  const [isPaying, setPaying] = useState(false)

  async function pay(event: FormEvent) {
    event.preventDefault()
    if (!switchyard || !elements) return
    setPaying(true)
    onSays('')
    const { error } = await switchyard.confirmPayment({ elements, returnUrl: `${location.origin}/`, redirect: 'if_required' })
    setPaying(false)
    // The element says why, and still has the form after a decline: another card, or the same one again.
    if (!error) await onDone().catch(problem => onSays(problem.message))
  }
  return (
    <form id="order" onSubmit={pay}>
      <PaymentElement id="payment" />
      <button id="pay" type="submit" disabled={!elements || isPaying}>
        Pay € 89.00
      </button>
    </form>
  )
}
