import { ok } from 'node:assert/strict'
import type { Body, Shop } from './shop.ts'

/**
 * Sends the customer to the address of the payment's next action, answers on the sandbox's page, and follows the way
 * back. Gives the payment afterwards.
 */
export async function walk(shop: Shop, payment: Body, verdict: 'accept' | 'reject'): Promise<Body> {
  const start = await fetch(payment.next_action.redirect_to_url, { redirect: 'manual' })
  const page = start.headers.get('location') ?? (await posted(await start.text()))
  ok(page.includes('/challenge/'), page)
  const back = await fetch(`${page}/${verdict}`, { method: 'POST', redirect: 'manual' })
  const home = await fetch(back.headers.get('location')!, { redirect: 'manual' })
  ok(home.status < 400, await home.text())
  return shop.get(payment.payment_id)
}

/** Posts a page that is a form, as a browser does. Gives the address of the processor's page that follows. */
async function posted(page: string): Promise<string> {
  const clear = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"')
  const action = clear(page.match(/<form method="post" action="([^"]*)"/)?.[1] ?? '')
  const fields = [...page.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]): [string, string] => [
    clear(name!),
    clear(value!),
  ])
  ok(fields.length > 0, page)
  const shown = await fetch(action, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  ok(shown.status === 200, await shown.text())
  return action
}
