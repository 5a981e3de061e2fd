/** A browser that cannot be sent on to the shop gets a page (`pages/outcome.ts`), other callers JSON. */

type Headers = Record<string, string | string[] | undefined>

/** Whether the `accept` header asks for HTML, and not for JSON before HTML. */
export const wantsPage = (headers: Headers): boolean => /^(?:(?!json).)*text\/html/i.test(String(headers.accept ?? ''))

/** A browser on a challenge's link, even incomplete, or the page of a payment, payout or collect link. */
export const isForCustomer = ({ url, headers }: { url: string; headers: Headers }): boolean =>
  wantsPage(headers) &&
  /^\/payments\/(?:[^/]+\/[^/]+\/)?(?:redirect|authorize|waiting)(?:\/|$)|^\/(?:(?:payment|payout)_link|payment_methods\/collect)\//.test(
    url,
  )

/** Returns the fields of a form that a browser sent; empty if the body is no form. */
export function sentByForm({ raw, headers }: { raw: Buffer; headers: Headers }): Record<string, string> {
  const isForm = /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(String(headers['content-type'] ?? ''))
  return isForm ? Object.fromEntries(new URLSearchParams(raw.toString())) : {}
}
