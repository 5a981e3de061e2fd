import { deepEqual } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/**
 * One word, one meaning: an exported name is declared once, so that a search for it finds what it means, and nothing
 * else.
 */

const root = join(import.meta.dirname, '..')

type Family = { in: RegExp; why: string; names: string }

/** Names that several files declare with the same meaning, and where. Anywhere else such a name is a homonym. */
const families: readonly Family[] = [
  {
    in: /^src\/(payments|payouts|payment-methods|disputes)\/([a-z-]+\/)?(lifecycle|request-shapes|dispute)\.ts$/,
    why: 'each resource has one lifecycle and one shape for each of its requests',
    names: 'lifecycle statuses allowedStatuses createShape updateShape confirmShape',
  },
  {
    in: /^src\/(payments|payouts|refunds)\//,
    why: 'a payout or refund does step by step what a payment does, and each step is called the same',
    names: 'checkLink hasLink linkConfigOf linkOf moved ownerOf performPlan postingsOf recordName refuseStatus route standingOn writePlan',
  },
  {
    in: /^src\/connectors\/[a-z0-9]+\/(authorize|modify|payout|payment|webhook|news|report|disputes)\.ts$|^src\/connectors\/stripe\/requests\.ts$/,
    why: 'a connector with files of its own for verbs calls them the same',
    names: 'authorize capture increment listChanges payout readWebhook readWholePayment refund register tells verifyWebhook',
  },
  {
    in: /^src\/connectors\/[a-z0-9]+\/(api|common|payment|requests|replies|report|report-shapes|outcomes|errors|protocol)\.ts$/,
    why: 'each connector reads the contract of its own processor, and knows no other',
    names:
      'WholePayment amountOf cardMembers counting get lookUp outcomeOf paymentReply post readChanges readList readNamed readOperation readOrder readPayment readRefused readWhole refundNews reportOf',
  },
  {
    in: /^src\/connectors\/[a-z0-9]+\/(disputes|authentication|report-shapes)\.ts$|^src\/(disputes|payments)\/(three-ds\/)?(accept|contest|look|ask-issuer)\.ts$/,
    why: 'what a merchant may ask of a dispute or an issuer, and how each processor is asked for it',
    names: 'acceptDispute askIssuer contestDispute readDispute syncDispute uploadEvidence',
  },
]

const familyOf = (name: string): Family | undefined => families.find(({ names }) => names.split(' ').includes(name))

const DECLARED = /^export (?:declare )?(?:abstract )?(?:async )?(?:type|interface|class|enum|const|let|function)\b\*? ?([A-Za-z_$][\w$]*)/gm

type Source = { file: string; text: string }

/** The names that several of these files declare, but for those of a family at home. */
function homonyms(sources: readonly Source[]): string[] {
  const files = new Map<string, Set<string>>()
  for (const { file, text } of sources)
    for (const [, name] of text.matchAll(DECLARED)) files.set(name!, (files.get(name!) ?? new Set()).add(file))
  return [...files]
    .filter(([name, at]) => at.size > 1 && ![...at].every(file => familyOf(name)?.in.test(file)))
    .map(([name, at]) => `${name}: ${[...at].join(', ')}`)
    .toSorted()
}

const sources = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', 'src/pages/browser/**'] })
  .toSorted()
  .map(file => ({ file, text: readFileSync(join(root, file), 'utf8') }))

test('an exported name is declared in one file, unless it belongs to a family of names', () => {
  deepEqual(homonyms(sources), [])
  deepEqual(
    homonyms([...sources, { file: 'src/base/money.ts', text: 'export async function* route() {}\n' }]),
    ['route: src/payments/authorization/open-authorization.ts, src/payouts/routing.ts, src/base/money.ts'],
    'and this test would see it',
  )
})

test('every name of a family is declared in at least two files', () => {
  const declared = (name: string) => sources.filter(({ text }) => [...text.matchAll(DECLARED)].some(([, one]) => one === name)).length
  deepEqual(
    families.flatMap(({ names }) => names.split(' ').filter(name => declared(name) < 2)),
    [],
  )
})
