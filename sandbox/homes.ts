// Where each connector finds its processor here: the sandbox's own language at the root and under the names of its relatives, the other languages under their own.

import { letters } from './dialects/letters.ts'
import { identities } from './identities.ts'

/** Processors that are reached by the bridge. */
const bridged = ['flexifai', 'bitex', 'hypergate', 'k218pay']

/** What the demo shop has accounts for, besides the sandbox's own. */
export const inTheDemo = ['adyen', 'stripe'] as const

/** Where each connector's processor is, at the sandbox with this address; and Apple. */
export const homesAt = (sandbox: string): Record<string, string> => ({
  phonypay: sandbox,
  ...Object.fromEntries([...Object.keys(letters), ...Object.keys(identities)].map(name => [name, `${sandbox}/${name}`])),
  ...Object.fromEntries(bridged.map(name => [name, `${sandbox}/bridge`])),
  apple_pay: `${sandbox}/apple_pay`,
})

/** The same as the service's setting `CONNECTOR_BASE_URLS` has it. */
export const homesSetting = (sandbox: string): string =>
  Object.entries(homesAt(sandbox))
    .map(pair => pair.join('='))
    .join(',')
