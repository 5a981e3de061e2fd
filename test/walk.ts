import { ok } from 'node:assert/strict'
import type { Body, Shop } from './shop.ts'

/** The customer goes where the payment sends them, says this at the sandbox's page, and comes back. Gives the payment as it is then. */
export async function walk(shop: Shop, payment: Body, says: 'accept' | 'reject'): Promise<Body> {
  const start = await fetch(payment.next_action.redirect_to_url, { redirect: 'manual' })
  const page = start.headers.get('location')!
  ok(page.includes('/challenge/'), page)
  const back = await fetch(`${page}/${says}`, { method: 'POST', redirect: 'manual' })
  const home = await fetch(back.headers.get('location')!, { redirect: 'manual' })
  ok(home.status < 400, await home.text())
  return shop.get(payment.payment_id)
}
