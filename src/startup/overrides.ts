import type { Sources } from '../base/clock.ts'
import type { Names } from '../connectors/reach.ts'
import type { Context, Log } from '../context.ts'
import type { Deadlines } from '../database/connection-settings.ts'
import type { Service } from '../http/endpoint.ts'
import type { Siblings } from '../processes/siblings.ts'

/**
 * The parts that tests replace: clocks, deadlines, callers' patience, or a wrapper around every edge. `scheduler`: by
 * hand, `tick` alone runs jobs and writes logs and accounts' health. `late_ms`: how long due rows and settings may
 * stay unread. `siblings`: the processes that share the port.
 */
export type ServiceOverrides = {
  wrap?: (context: Context) => Context
  log?: Log
  scheduler?: 'runs' | 'by hand'
  patience?: Service['patience']
  clocks?: Sources
  database?: Deadlines
  late_ms?: number
  names?: Names
  siblings?: Siblings
}
