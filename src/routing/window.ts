import type { SuccessConfig } from './dynamic.ts'

/**
 * How often payments of one account and cell succeeded lately: full blocks, and one that is being filled. A block is
 * full after so many payments, or so much time; only the latest full ones count, and none that is older than all of
 * them may span. Times are milliseconds since 1970. Pure.
 */
export type Block = { began: number; payments: number; succeeded: number }
export type Window = readonly Block[]

export function afterOutcome(window: Window, config: SuccessConfig, now: number, succeeded: boolean): Window {
  const last = window.at(-1)
  const goesOn = last !== undefined && !isFull(last, config, now)
  const block = goesOn ? last : { began: now, payments: 0, succeeded: 0 }
  const kept = goesOn ? window.slice(0, -1) : window.slice(-config.max_blocks)
  return [...kept, { ...block, payments: block.payments + 1, succeeded: block.succeeded + (succeeded ? 1 : 0) }]
}

const isFull = (block: Block, config: SuccessConfig, now: number): boolean =>
  block.payments >= config.block_payments || now - block.began >= config.block_ms

/** The rate, of a hundred, and of how many payments; null while too few blocks are full to believe it. */
export function rateOf(window: Window, config: SuccessConfig, now: number): { success_rate: number | null; payments: number } {
  const since = now - config.block_ms * config.max_blocks
  const blocks = window.filter(block => isFull(block, config, now) && block.began >= since).slice(-config.max_blocks)
  const payments = blocks.reduce((sum, block) => sum + block.payments, 0)
  if (blocks.length < config.min_blocks || payments === 0) return { success_rate: null, payments }
  const succeeded = blocks.reduce((sum, block) => sum + block.succeeded, 0)
  return { success_rate: Math.round((10_000 * succeeded) / payments) / 100, payments }
}
