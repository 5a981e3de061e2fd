import type { Sources } from '../base/clock.ts'
import type { Names } from '../connectors/reach.ts'
import type { Context, Log } from '../context.ts'
import type { Deadlines } from '../database/connection-settings.ts'
import type { Service } from '../http/endpoint.ts'
import type { Siblings } from '../processes/siblings.ts'

/**
 * What tests replace of the world: the clocks it goes by, its deadlines, the patience of callers, or a wrapper around
 * every edge. `late_ms`: how long alarms and settings may stand still. And `siblings`: the processes that it shares its
 * port with, if it does.
 */
export type Doors = {
  wrap?: (context: Context) => Context
  log?: Log
  scheduler?: 'runs' | 'by hand'
  patience?: Service['patience']
  clocks?: Sources
  database?: Deadlines
  late_ms?: number
  /** Which addresses a name stands for, instead of the system. */
  names?: Names
  siblings?: Siblings
}
