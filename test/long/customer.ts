import { setTimeout as pause } from 'node:timers/promises'
import type { Access, Answer } from './clients.ts'

/**
 * Makes one request of a browser, which does not follow redirects. `form`: the form that it posts. Throws if no answer
 * came.
 */
export type Visit = (method: 'GET' | 'POST', url: string, form?: string) => Promise<Page>
type Page = { status: number; location: string | null; text: string }

// biome-ignore lint/suspicious/noExplicitAny: an answer of the interface, as a client meets it
type Body = any

/** The number of times that a customer reloads a page that does not come. */
const RELOADS = 20

/**
 * Opens a customer with a browser, who goes to the address of `next_action`, decides, and comes back. `odd` receives
 * descriptions of pages that no customer should see.
 */
export function openCustomer({ visit, call, publishable_key }: Access, odd: (text: string) => void) {
  async function again<T extends { status: number }>(
    ask: () => Promise<T>,
    isOdd: (answer: T) => boolean,
    what: string,
  ): Promise<T | null> {
    for (let i = 0; i < RELOADS; i++) {
      const answer = await ask().catch(() => null)
      if (answer && isOdd(answer)) odd(`a customer met ${answer.status} at ${what}`)
      if (answer && answer.status < 500 && answer.status !== 422) return answer
      await pause(100)
    }
    return null
  }
  const step = (method: 'GET' | 'POST', url: string, form?: string): Promise<Page | null> =>
    again(
      () => visit(method, url, form),
      ({ status }) => status > 500 && status !== 503,
      `${method} ${url}`,
    )

  /** Authenticates in the checkout: calls the issuer, and answers a challenge with `answer`. */
  async function authenticate(payment: Body, answer: 'accept' | 'reject'): Promise<void> {
    const data = payment.next_action?.three_ds_data
    if (!data) return
    const path = `/payments/${payment.payment_id}/3ds/authentication`
    const body = { client_secret: payment.client_secret, device_channel: 'BRW', threeds_method_comp_ind: 'Y' }
    // The authentication may be over already, in another tab, by a cancel or by time: a customer who does not know
    // this continues, and gets an answer that says so.
    const isOdd = ({ status, body }: Answer) => status !== 200 && !['IR_16', 'HE_00'].includes(body?.error?.code)
    const result = await again(() => call('POST', path, body, { 'api-key': publishable_key }), isOdd, `POST ${path}`)
    const challenged = result?.body.trans_status === 'C' ? result.body : null
    if (!challenged) return void (await step('POST', data.three_ds_authorize_url, ''))
    const page = await step('POST', challenged.acs_url, `${challenged.challenge_request_key}=${challenged.challenge_request}`)
    const action = page?.text.match(new RegExp(`action="([^"]+/${answer})"`))?.[1]
    const word = action ? await step('POST', new URL(action, challenged.acs_url).href, '') : page
    const [, address, cres] = word?.text.match(/action="([^"]*)"><input type="hidden" name="cres" value="([^"]*)"/) ?? []
    if (address) await step('POST', address, `cres=${cres}`)
  }

  return {
    authenticate,
    /** Answers a challenge of the processor, on its page or in the checkout. */
    async challenge(payment: Body, answer: 'accept' | 'reject'): Promise<void> {
      if (payment.next_action?.three_ds_data) return authenticate(payment, answer)
      const start = payment.next_action?.redirect_to_url
      const page = start && (await step('GET', start))?.location
      // Without a challenge page, the challenge is over already, and the customer was sent home.
      if (!page?.includes('/challenge/')) return
      const back = (await step('POST', `${page}/${answer}`))?.location
      if (back) await step('GET', back)
    },
  }
}
