import type { Time } from '../context.ts'

/**
 * A report of a processor's settlements. `id`: the same report always has the same one, because a report is fetched
 * once. `name`: as the file is called here.
 */
export type ListedReport = { id: string; name: string }

/**
 * A question for the reports that were made since a time, by our clock; a connector asks further back where its
 * processor's list may be late. `from`: since when the merchant wants reports. `page`: `next` of the answer before;
 * null for the first page. `last`: the report that became known last.
 */
export type ReportsQuestion = {
  since: Time
  until: Time
  from: Time
  page: string | null
  last: { id: string; isFetched: boolean } | null
}

/**
 * `unsupported`: this account's processor offers none, or the account has no credential for them.
 * `unknown`: the processor refused the request or did not answer; `why` is shown to the merchant.
 */
type NoReport = { is: 'unsupported' } | { is: 'unknown'; why: string }

/**
 * `until`: of a processor whose reports are complete only up to an earlier time than was asked for. `follows`: the
 * processor lists none, and the next report is tried once this one was fetched.
 */
export type ReportsRead = { is: 'reports'; reports: readonly ListedReport[]; next: string | null; until?: Time; follows?: true } | NoReport

/** `page`: `next` of the part before; null for the first one. */
export type ReportPartQuestion = { id: string; page: string | null }

/**
 * A part of a report, in its order. `text`: null of a part that a request marked `download` brought. `waiting`: the
 * processor has it in some minutes, or on another day. `gone`: it will never come.
 */
export type ReportPart =
  | { is: 'part'; text: string | null; next: string | null }
  | { is: 'waiting'; for: 'minutes' | 'days' }
  | { is: 'gone'; why: string }
  | NoReport
