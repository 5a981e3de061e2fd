import type { ProcessName } from './proc.mjs'

export function npmChain(env?: Record<string, string | undefined>, self?: number): ProcessName[]
export function watch(names: ProcessName[], gone: () => void): () => void
export function underNohup(): boolean
