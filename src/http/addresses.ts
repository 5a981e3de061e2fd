import type { FastifyInstance } from 'fastify'
import { Refusal } from '../base/refusal.ts'

/** The methods and addresses of the server, collected from its routes as they are mounted. */
export type Addresses = {
  /** Returns the methods allowed at an address, OPTIONS among them; empty if no route matches. */
  methodsOf(url: string): string[]
  /** Returns the refusal of a request that matches no route: 405 if another method would match, else 404. */
  nothingAt(method: string, url: string): Refusal
  /** The methods only for an id where the address has a word: `DELETE /accounts/list` would delete `list`. */
  mistaken(): { method: string; url: string }[]
}

const OPTIONS = 'OPTIONS'

/** Collects the routes of this server. Must be called before the first route is mounted. */
export function openAddresses(app: FastifyInstance): Addresses {
  const routes: { url: string; address: RegExp; method: string; open: number }[] = []
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config && 'mistaken' in config) return
    const address = new RegExp(`^${url.replace(/[.*]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`)
    for (const one of [method].flat()) if (one !== OPTIONS) routes.push({ url, address, method: one, open: url.split(':').length })
  })
  const methodsOf = (url: string): string[] => {
    const path = pathOf(url)
    const fit = routes.filter(route => route.address.test(path))
    if (fit.length === 0) return []
    // If a word and an id would both match, the word wins: `/accounts/list` is no account.
    const fewest = Math.min(...fit.map(one => one.open))
    return [...new Set(fit.filter(one => one.open === fewest).map(one => one.method)), OPTIONS]
  }
  function mistaken() {
    const byUrl = new Map(routes.map(({ url, open }) => [url, open]))
    const missing = [...byUrl].flatMap(([url, open]) =>
      // HEAD is defined together with GET.
      routes
        .filter(id => id.method !== 'HEAD' && id.open > open && id.address.test(url))
        .filter(({ method }) => !routes.some(one => one.url === url && one.method === method))
        .map(({ method }) => [`${method} ${url}`, { method, url }] as const),
    )
    return [...new Map(missing).values()]
  }
  return {
    methodsOf: methodsOf,
    mistaken,
    nothingAt(method, url) {
      const methods = methodsOf(url)
      // Even with the right method no route may match: a part is too long, or no valid name.
      return methods.length > 0 && !methods.includes(method)
        ? new Refusal('wrong_method', { method, allowed: methods })
        : new Refusal('unknown_url', { method, path: readable(pathOf(url)) })
    },
  }
}

const pathOf = (url: string): string => url.split('?')[0]!

/** Returns an address decoded: an encoded address (`%20` and the like) may contain a card number in groups. */
function readable(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
