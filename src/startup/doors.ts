import type { Sources } from '../base/clock.ts'
import type { Names } from '../connectors/reach.ts'
import type { Context, Log } from '../context.ts'
import type { Deadlines } from '../database/connection-settings.ts'
import type { Service } from '../http/endpoint.ts'

/**
 * What tests replace of the world: the clocks it goes by, its deadlines, the patience of callers, or a wrapper around
 * every edge. `late_ms`: how long alarms and settings may stand still.
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
}
