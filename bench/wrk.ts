// One run of the load generator.
import { join } from 'node:path'
import { call } from './tools.ts'

export type Load = {
  wrk: string
  url: string
  script: 'pay.lua' | 'confirm.lua' | 'retrieve.lua' | 'saved.lua'
  args: string[]
  clients: number
  seconds: number
}

/**
 * The complete answers of a run; `failed` counts errors and statuses other than 2xx. Times in milliseconds, latencies
 * of single requests.
 */
export type Loaded = { requests: number; seconds: number; p50: number; p99: number; max: number; failed: number; failures: string }

export async function load(plan: Load): Promise<Loaded> {
  const threads = plan.clients >= 256 ? 2 : 1
  const sizes = [`-t${threads}`, `-c${plan.clients}`, `-d${plan.seconds}s`, '--latency', '--timeout', '20s']
  const script = join(import.meta.dirname, plan.script)
  return readWrk(await call(plan.wrk, [...sizes, '-s', script, plan.url, '--', ...plan.args]).text)
}

/** Reads the line that `summary.lua` writes at the end of wrk's own report. */
export function readWrk(text: string): Loaded {
  const line = /^bench (\{.*\})$/m.exec(text)?.[1]
  if (line === undefined) throw new Error(`The output of wrk could not be read: ${text.trim().slice(-400)}`)
  const summary = JSON.parse(line) as Record<string, number>
  const kinds = ['connect', 'read', 'write', 'timeout', 'status']
  return {
    requests: summary.requests! - summary.status!,
    seconds: summary.us! / 1e6,
    p50: summary.p50_us! / 1000,
    p99: summary.p99_us! / 1000,
    max: summary.max_us! / 1000,
    failed: kinds.reduce((sum, kind) => sum + summary[kind]!, 0),
    failures: kinds
      .filter(kind => summary[kind]! > 0)
      .map(kind => `${summary[kind]} ${kind}`)
      .join(', '),
  }
}
