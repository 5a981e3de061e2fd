/**
 * A customer's browser is shown a page (`pages/outcome.ts`) where it cannot be sent on to the shop. Other callers
 * receive the catalogue's JSON.
 */

type Headers = Record<string, string | string[] | undefined>

/** A browser asks for a page, and not for JSON before that. */
export const wantsPage = (headers: Headers): boolean => /^(?:(?!json).)*text\/html/i.test(String(headers.accept ?? ''))

/** Is it a browser on one of the links of a challenge, be the link whole or not, or at the page of a link? */
export const isForCustomer = ({ url, headers }: { url: string; headers: Headers }): boolean =>
  wantsPage(headers) &&
  /^\/payments\/(?:[^/]+\/[^/]+\/)?(?:redirect|authorize|waiting)(?:\/|$)|^\/(?:(?:payment|payout)_link|payment_methods\/collect)\//.test(
    url,
  )

/** The fields of a form that a browser sends; other members are ignored. */
export function sentByForm({ raw, headers }: { raw: Buffer; headers: Headers }): Record<string, string> {
  const isForm = /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(String(headers['content-type'] ?? ''))
  return isForm ? Object.fromEntries(new URLSearchParams(raw.toString())) : {}
}
