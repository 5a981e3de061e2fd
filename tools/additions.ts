import type { Addition } from './adding.ts'
import { processors } from './additions/processors.ts'
import { resources } from './additions/resources.ts'
import { service } from './additions/service.ts'

/** The kinds of additions, each with an example (`adding.ts`). */
export const additions: readonly Addition[] = [...resources, ...service, ...processors]
