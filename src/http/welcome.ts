import type { FastifyInstance } from 'fastify'
import { Refusal } from '../base/refusal.ts'

/** What is at an address: read off the routes themselves as they are mounted. */
export type Addresses = {
  /** The methods that are understood there, OPTIONS among them; none where nothing is. */
  welcome(url: string): string[]
  /** Why a request found nothing: 405 if another method would have, else 404. */
  nothingAt(method: string, url: string): Refusal
}

const OPTIONS = 'OPTIONS'

/** Listens to the routes of this server. To be called before the first is mounted. */
export function openAddresses(app: FastifyInstance): Addresses {
  const routes: { address: RegExp; method: string }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    const address = new RegExp(`^${url.replace(/[.*]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`)
    for (const one of [method].flat()) if (one !== OPTIONS) routes.push({ address, method: one })
  })
  const welcome = (url: string): string[] => {
    const path = pathOf(url)
    const methods = routes.filter(route => route.address.test(path)).map(route => route.method)
    return methods.length === 0 ? [] : [...new Set(methods), OPTIONS]
  }
  return {
    welcome,
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
