import type { EvidenceFile, EvidenceType } from '../dispute.ts'
import { isRecord, isWord } from '../kit/read.ts'

/**
 * Chooses the reason with which a dispute is defended, among those that Adyen offers, and the document type of each
 * file. A document type is a statement to the bank, and a defense is final: a file gets only a type that it proves, a
 * reason is chosen only if all that it requires is present, and no file is left out.
 */

/** The document type for any kind of file: it states only that the file is evidence. */
const ANYTHING = 'DefenseMaterial'

/** The document types that a file certainly is, most specific first. A type that none surely shows is in no row. */
export const documentTypes: Readonly<Record<EvidenceType, readonly string[]>> = {
  cancellation_policy: ['DisclosureAtPointOfInteraction', ANYTHING],
  customer_communication: [ANYTHING],
  customer_signature: [ANYTHING],
  receipt: ['TIDorInvoice', ANYTHING],
  refund_policy: ['DisclosureAtPointOfInteraction', ANYTHING],
  service_documentation: ['ProofOfGoodsOrServicesProvided', ANYTHING],
  shipping_documentation: ['ProofOfGoodsOrServicesProvided', 'DateMerchandiseShipped', ANYTHING],
  invoice_showing_distinct_transactions: ['TIDorInvoice', ANYTHING],
  recurring_transaction_agreement: ['MerchantProofOfRecurringTransaction', ANYTHING],
  uncategorized_file: [ANYTHING],
}

type Level = 'Required' | 'OneOrMore' | 'Optional'
type Reason = { code: string; documents: ReadonlyMap<string, Level> }

/** Adyen never offers more. */
const MOST_REASONS = 50

/** Reads the reasons in Adyen's answer that list documents. An unknown requirement level counts as required. */
export function readReasons({ defenseReasons }: Record<string, unknown>): Reason[] {
  const all = Array.isArray(defenseReasons) ? defenseReasons.slice(0, MOST_REASONS) : []
  return all.flatMap(reason => {
    if (!isRecord(reason) || !isWord(reason.defenseReasonCode) || !Array.isArray(reason.defenseDocumentTypes)) return []
    const documents = new Map<string, Level>()
    for (const type of reason.defenseDocumentTypes.filter(isRecord)) {
      const { defenseDocumentTypeCode: code, requirementLevel: level } = type
      if (isWord(code)) documents.set(code, level === 'OneOrMore' || level === 'Optional' ? level : 'Required')
    }
    return documents.size > 0 ? [{ code: reason.defenseReasonCode, documents }] : []
  })
}

/** `labels`: the document type of each file, in their order. `cost`: higher if the types are less specific. */
type Fit = { labels: string[]; cost: number }
type Defense = { is: 'defense'; reason: string; labels: readonly string[] } | { is: 'none'; why: string }

/** Chooses the reason with the most specific document types for the files; of equals, the first that Adyen offers. */
export function chooseDefense(reasons: readonly Reason[], files: readonly Pick<EvidenceFile, 'type'>[]): Defense {
  let best: (Fit & { reason: string }) | null = null
  for (const reason of reasons) {
    const fit = fitOf(reason, files)
    if (fit && (best === null || fit.cost < best.cost)) best = { ...fit, reason: reason.code }
  }
  if (best) return { is: 'defense', reason: best.reason, labels: best.labels }
  if (reasons.length === 0) return { is: 'none', why: 'Adyen offers no defense reason for this dispute.' }
  const lacks = reasons.map(reason => lackOf(reason, files)).toSorted((a, b) => a.far - b.far)
  const near = lacks.filter(({ far }) => far < 3)
  const why = (near.length > 0 ? near : lacks).map(({ text }) => text).join('; ')
  return { is: 'none', why: `No evidence was submitted, because no defense reason applies: ${why}` }
}

/** Adyen keeps one document of each type. Null if not all required types can be assigned. */
function fitOf({ documents }: Reason, files: readonly Pick<EvidenceFile, 'type'>[], labels: string[] = [], cost = 0): Fit | null {
  const file = files[labels.length]
  if (!file) return missing(documents, labels).length === 0 ? { labels, cost } : null
  let best: Fit | null = null
  for (const [i, type] of documentTypes[file.type].entries()) {
    if (!documents.has(type) || labels.includes(type)) continue
    const worth = type === ANYTHING ? files.length + 2 : i
    const fit = fitOf({ code: '', documents }, files, [...labels, type], cost + worth)
    if (fit && (best === null || fit.cost < best.cost)) best = fit
  }
  return best
}

/** Each type alone, or together if one of several would do. */
function missing(documents: ReadonlyMap<string, Level>, labels: readonly string[]): string[][] {
  const of = (level: Level) => [...documents].filter(([, one]) => one === level).map(([code]) => code)
  const oneOf = of('OneOrMore')
  const isOneThere = oneOf.length === 0 || oneOf.some(code => labels.includes(code))
  return [
    ...of('Required')
      .filter(code => !labels.includes(code))
      .map(code => [code]),
    ...(isOneThere ? [] : [oneOf]),
  ]
}

const showing = (codes: readonly string[]): EvidenceType[] =>
  (Object.keys(documentTypes) as EvidenceType[]).filter(type => documentTypes[type].some(code => codes.includes(code)))

/** Why a reason cannot be chosen. `far`: how much the merchant must do before it can; 3 is too much. */
function lackOf({ code, documents }: Reason, files: readonly Pick<EvidenceFile, 'type'>[]): { text: string; far: number } {
  const given = files.flatMap(({ type }) => documentTypes[type])
  const lacks = missing(documents, given)
  const unprovided = lacks.filter(codes => showing(codes).length === 0)
  if (unprovided.length > 0) return { text: `${code} requires ${unprovided.flat().join(', ')}, which no evidence_type provides`, far: 3 }
  if (lacks.length > 0) return { text: `${code} requires ${lacks.map(codes => showing(codes).join(' or ')).join(' and ')}`, far: 2 }
  const homeless = files.filter(({ type }) => !documentTypes[type].some(one => documents.has(one))).map(({ type }) => type)
  if (homeless.length > 0) return { text: `${code} does not accept ${homeless.join(', ')}`, far: 1 }
  const each = [...documents].filter(([type]) => showing([type]).length > 0).map(([type, level]) => `${type} (${level})`)
  return { text: `${code} accepts one file for each of ${each.join(', ')}; combine several in one PDF`, far: 0 }
}
