import type { Word } from './page-texts.ts'

/** By the standardised code or the processor's own, where customers can act. Browsers get this table as data. */
export const declineWords: readonly (readonly [pattern: string, word: Word])[] = [
  ['insufficient|funds', 'declinedFunds'],
  ['expir', 'expired'],
  ['cvv|cvc|security_code', 'declinedCode'],
  ['invalid_card_number|incorrect_number|invalid_number', 'numberWrong'],
  ['authentication|3ds|three_ds', 'declinedCheck'],
]

type LastError = { error_code: string; standardised_code?: string } | null

export function wordForDecline(last_error: LastError): Word {
  const reason = `${last_error?.standardised_code ?? ''} ${last_error?.error_code ?? ''}`
  return declineWords.find(([pattern]) => new RegExp(pattern, 'i').test(reason))?.[1] ?? 'declined'
}
