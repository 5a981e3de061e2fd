export type Process = { pid: number; command: string; parent: number; begun: string }
export type ProcessName = { pid: number; begun: string; boot: string }
export function look(pid: number): Process | null
export function commandLine(pid: number): string
export function bootId(): string
export function isSame(name: ProcessName): boolean
export function nameOf(pid: number): ProcessName
