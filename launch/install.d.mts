import type { ChildProcess } from 'node:child_process'

export type Installing = {
  withTools: boolean
  members?: readonly string[]
  say(line: string): void
  started?(npm: ChildProcess): void
  lock?: string
}
export function install(project: string, how: Installing): Promise<void>
export function whatIsMissing(project: string, withTools: boolean, members?: readonly string[]): string | null
