import type { Switchyard } from './switchyard.d.ts'

export type * from './switchyard.d.ts'

export type LoadOptions = {
  /** The address of the service: `https://pay.example`. */
  baseUrl: string
  /** The version to stay at (`1.0.0`), with its `integrity` as the service's `/docs` prints it; default: the newest. */
  version?: string
  integrity?: string
}

/**
 * Loads the script of the service into the page, once for each address. Null where there is no page: on a server.
 * Rejects if the script cannot be loaded, and can then be called again.
 */
export function loadSwitchyard(publishableKey: string, options: LoadOptions): Promise<Switchyard | null>
