import type { SuccessConfig } from './dynamic.ts'

/**
 * The recent payments of one account and cell, from which its success rate follows: full blocks and one that is being
 * filled. A block is full after a configured number of payments or time. Only the latest `max_blocks` full blocks
 * count, and none older than `max_blocks` times the longest duration. Times are milliseconds since 1970. Pure.
 */
type Block = { began: number; payments: number; succeeded: number }
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

/** In percent; null while too few blocks are full. */
export function rateOf(window: Window, config: SuccessConfig, now: number): { success_rate: number | null; payments: number } {
  const since = now - config.block_ms * config.max_blocks
  const blocks = window.filter(block => isFull(block, config, now) && block.began >= since).slice(-config.max_blocks)
  const payments = blocks.reduce((sum, block) => sum + block.payments, 0)
  if (blocks.length < config.min_blocks || payments === 0) return { success_rate: null, payments }
  const succeeded = blocks.reduce((sum, block) => sum + block.succeeded, 0)
  return { success_rate: Math.round((10_000 * succeeded) / payments) / 100, payments }
}
