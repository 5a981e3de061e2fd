import type { FastifyInstance } from 'fastify'
import { Refusal } from '../base/refusal.ts'

/** What is at an address: read off the routes themselves as they are mounted. */
export type Addresses = {
  /** The methods that are understood there, OPTIONS among them; none where nothing is. */
  welcome(url: string): string[]
  /** Why a request found nothing: 405 if another method would have, else 404. */
  nothingAt(method: string, url: string): Refusal
  /**
   * Methods that only an id understands where a word stands: `DELETE /accounts/list` would delete the account `list`.
   */
  mistaken(): { method: string; url: string }[]
}

const OPTIONS = 'OPTIONS'

/** Listens to the routes of this server. To be called before the first is mounted. */
export function openAddresses(app: FastifyInstance): Addresses {
  const routes: { url: string; address: RegExp; method: string; open: number }[] = []
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config && 'mistaken' in config) return
    const address = new RegExp(`^${url.replace(/[.*]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`)
    for (const one of [method].flat()) if (one !== OPTIONS) routes.push({ url, address, method: one, open: url.split(':').length })
  })
  const welcome = (url: string): string[] => {
    const path = pathOf(url)
    const fit = routes.filter(route => route.address.test(path))
    if (fit.length === 0) return []
    // Where a word and an id would both fit, it is the word: `/accounts/list` is no account.
    const fewest = Math.min(...fit.map(one => one.open))
    return [...new Set(fit.filter(one => one.open === fewest).map(one => one.method)), OPTIONS]
  }
  function mistaken() {
    const words = new Map(routes.map(({ url, open }) => [url, open]))
    const missing = [...words].flatMap(([url, open]) =>
      // HEAD comes with GET.
      routes
        .filter(id => id.method !== 'HEAD' && id.open > open && id.address.test(url))
        .filter(({ method }) => !routes.some(one => one.url === url && one.method === method))
        .map(({ method }) => [`${method} ${url}`, { method, url }] as const),
    )
    return [...new Map(missing).values()]
  }
  return {
    welcome,
    mistaken,
    nothingAt(method, url) {
      const methods = welcome(url)
      // The method may be right and the address still lead nowhere: a part of it is too long, or no name.
      return methods.length > 0 && !methods.includes(method)
        ? new Refusal('wrong_method', { method, welcome: methods })
        : new Refusal('unknown_url', { method, path: readable(pathOf(url)) })
    },
  }
}

const pathOf = (url: string): string => url.split('?')[0]!

/** An address as it is meant: what is written in `%20` and the like may be a card number in groups. */
function readable(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
