import type { Answer } from './call.ts'

/** Gives the Content-Security-Policy of an answer by its directives. */
export const policyOf = ({ headers }: Answer): Record<string, string> =>
  Object.fromEntries(
    String(headers['content-security-policy'])
      .split('; ')
      .map(one => [one.split(' ')[0]!, one.slice(one.indexOf(' ') + 1)]),
  )
