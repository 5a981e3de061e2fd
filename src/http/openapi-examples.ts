import { readFileSync } from 'node:fs'

/** The payment, the refund and the dispute of which all examples speak. */
export const EXAMPLE_PAYMENT = 'pay_01K2ZQ4V9T5M8R3X7C6B1N0HJD'
export const EXAMPLE_PAYOUT = 'pyt_01K2ZQ8D5H2N7R4V9XA1C6E3GK'
export const EXAMPLE_REFUND = 'ref_01K2ZQ7C3E8W4F1Y6KM0T9A5XB'
export const EXAMPLE_DISPUTE = 'dp_8XkT2mQw4ZrB7nLc9vHa'

/**
 * What an operation was asked by its address, and what it answered: a body, a text, an address to go to, or nothing.
 */
export type ExampleAnswer = { asked: Record<string, string>; json?: unknown; text?: string; location?: string }

/**
 * What the examples of the operations, and those that need no body, were answered. Frozen by `tools/answers.test.ts`,
 * which also holds it fresh.
 */
export const answers = (): Readonly<Record<string, ExampleAnswer>> =>
  JSON.parse(readFileSync(new URL('./openapi-answers.json', import.meta.url), 'utf8'))
