import type { ProcessName } from './proc.mjs'

export type Holder = ProcessName & { what: string }
export function takeLock(path: string, what: string): { holder: Holder } | { holder: null; release(): void }
