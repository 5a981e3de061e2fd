import { readFileSync } from 'node:fs'
import { type RefusalName, refusalCatalogue, templatesOf } from '../../src/base/refusal.ts'
import { statuses as statusesOfDisputes } from '../../src/disputes/lifecycle.ts'
import { endpoints } from '../../src/http/endpoints.ts'
import { loader } from '../../src/pages/sdk.ts'
import { statuses } from '../../src/payments/lifecycle.ts'
import { refundStatuses } from '../../src/refunds/lifecycle.ts'
import { coverage } from './ecosystem.ts'
import { keptOnlyMembers } from './kept-only.ts'

const code = (text: string): string => `\`${text}\``
const list = (lines: readonly string[]): string => lines.map(line => `- ${line}`).join('\n')

const statusList = (all: Readonly<Record<string, { description: string; nextStep: string }>>): string =>
  list(Object.entries(all).map(([status, { description, nextStep }]) => `${code(status)}: ${description}. *${nextStep}.*`))

const errorList = (): string =>
  list(
    (Object.keys(refusalCatalogue) as RefusalName[]).map(
      name =>
        `${code(refusalCatalogue[name].code)} (${refusalCatalogue[name].status}): ${templatesOf(name).message}. *${templatesOf(name).help}*`,
    ),
  )

/** Returns the list of the ecosystem's operations that this service has, and of those that are missing. */
export const coverageList = (): string =>
  list(
    coverage(endpoints).map(({ area, here, missing }) => {
      const notYet = missing.length === 0 ? '' : ` Not yet: ${missing.map(code).join(', ')}`
      return `**${area}**: ${here.length} of ${here.length + missing.length}.${notYet}`
    }),
  )

/** Returns the list of members that are only stored: each with the reason, and the operations that accept it. */
export function keptList(): string {
  const takers = new Map<string, string[]>()
  for (const { name } of endpoints) {
    for (const { member, why } of keptOnlyMembers(name)) {
      const line = `${code(member)}: ${why}`
      takers.set(line, [...(takers.get(line) ?? []), name])
    }
  }
  return list([...takers].map(([line, operations]) => `${line}. *${operations.join(', ')}*`))
}

/** Returns the HTML with which a page loads the script of exactly this release (Subresource Integrity). */
const pinnedLoader = (): string =>
  `\`\`\`html\n<script src="https://pay.example${loader.pinned}" integrity="${loader.integrity}" crossorigin="anonymous"></script>\n\`\`\``

/**
 * Returns the text before the operations, in Markdown: `guide.md` with its placeholders filled from the tables. The
 * table of test cards is an argument, because only the sandbox knows what test cards do.
 */
export function guide(testCards: string): string {
  const placeholders: Record<string, () => string> = {
    'payment statuses': () => statusList(statuses),
    'refund statuses': () => statusList(refundStatuses),
    'dispute statuses': () => statusList(statusesOfDisputes),
    errors: errorList,
    'kept only': keptList,
    'test cards': () => testCards,
    coverage: coverageList,
    loader: pinnedLoader,
  }
  return readFileSync(new URL('../../src/http/guide.md', import.meta.url), 'utf8').replace(/<!-- ([^<>]*) -->/g, (_, name: string) =>
    placeholders[name]!(),
  )
}
