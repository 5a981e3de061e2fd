import { formatAmount } from './parts/money'

export const plural = (count: number, one: string, many = `${one}s`): string => `${formatAmount(count, 'JPY')} ${count === 1 ? one : many}`

/** Formats a rate as a percentage, or as `unknown` if there are too few payments for a rate. */
export const percent = (rate: number | null | undefined): string =>
  rate === null || rate === undefined ? 'unknown' : `${(rate * 100).toFixed(1)} %`
