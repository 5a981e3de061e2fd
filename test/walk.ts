import { ok } from 'node:assert/strict'
import type { Body, Shop } from './shop.ts'

/**
 * The customer goes where the payment sends them, says this at the sandbox's page, and comes back. Gives the payment
 * as it is then.
 */
export async function walk(shop: Shop, payment: Body, says: 'accept' | 'reject'): Promise<Body> {
  const start = await fetch(payment.next_action.redirect_to_url, { redirect: 'manual' })
  const page = start.headers.get('location') ?? (await posted(await start.text()))
  ok(page.includes('/challenge/'), page)
  const back = await fetch(`${page}/${says}`, { method: 'POST', redirect: 'manual' })
  const home = await fetch(back.headers.get('location')!, { redirect: 'manual' })
  ok(home.status < 400, await home.text())
  return shop.get(payment.payment_id)
}

/** What a browser does with a page that is a form: it is posted, and shows the processor's page. Gives whose. */
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
