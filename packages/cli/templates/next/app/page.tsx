import { browserSettings } from '../shop.js'
import { Checkout } from './checkout'

// Settings are read when the page is asked for, not when it is built.
export const dynamic = 'force-dynamic'

export default async function Page({ searchParams }: { searchParams: Promise<{ payment_id?: string }> }) {
  const { payment_id } = await searchParams
  return (
    <main>
      <h1>Your order</h1>
      <p>One desk lamp, € 89.00</p>
      <Checkout {...browserSettings()} paymentId={payment_id ?? null} />
    </main>
  )
}
