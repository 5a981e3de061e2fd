import type { Currency } from './currencies.ts'

/** An amount in the lowest denomination of its currency (cents for USD, yen for JPY): a safe integer, never a float. */
export type Money = { amount: number; currency: Currency }

/** The largest amount the interface takes: integers beyond it cannot be told apart in JSON. */
export const LARGEST_AMOUNT = Number.MAX_SAFE_INTEGER
