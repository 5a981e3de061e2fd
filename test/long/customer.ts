import { setTimeout as pause } from 'node:timers/promises'

/** One step of a browser, which does not follow by itself. Throws if nobody answered. */
export type Visit = (method: 'GET' | 'POST', url: string) => Promise<{ status: number; location: string | null }>

/** So often somebody reloads a page that does not come. */
const RELOADS = 20

/** A customer with a browser: goes where `next_action` sends them, decides, and comes back. `odd` hears of pages that no customer should see. */
export function openCustomer(visit: Visit, odd: (words: string) => void) {
  async function step(method: 'GET' | 'POST', url: string): Promise<string | null> {
    for (let i = 0; i < RELOADS; i++) {
      const page = await visit(method, url).catch(() => null)
      if (page && page.status < 500) return page.location
      if (page && page.status !== 503) odd(`a customer met ${page.status} at ${method} ${url}`)
      await pause(100)
    }
    return null
  }

  // biome-ignore lint/suspicious/noExplicitAny: an answer of the interface, as a client meets it
  return async (payment: any, answer: 'accept' | 'reject'): Promise<void> => {
    const start = payment.next_action?.redirect_to_url
    const page = start && (await step('GET', start))
    // The challenge is over already, and the customer was sent home.
    if (!page?.includes('/challenge/')) return
    const back = await step('POST', `${page}/${answer}`)
    if (back) await step('GET', back)
  }
}
