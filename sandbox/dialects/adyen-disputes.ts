// Adyen's Disputes API (v30): a merchant's response to a chargeback. Status 200 is returned in any case; the body
// contains whether the call succeeded.

import { acceptDispute, answerDispute, changeOf, type Disputed } from '../disputes.ts'
import type { Dispute, Document } from '../records.ts'
import { Refusal } from '../refusals.ts'
import { type Body, isMissing } from '../requests.ts'
import type { ApiCall, CallResult } from './adyen-calls.ts'
import { paymentNote } from './adyen-documents.ts'
import { need, only } from './adyen-read.ts'
import { AdyenRefusal } from './adyen-refusals.ts'

/** The documents supplied so far, before the dispute is defended with them. */
type DefenseNote = Document & { object: 'adyen_defense'; documents: Record<string, string> }

type Level = 'Required' | 'OneOrMore' | 'Optional'
/** A defense reason and its evidence: document types by requirement level. */
type Defense = { code: string; documents: Readonly<Record<string, Level>> }

const material: Defense = { code: 'SupplyDefenseMaterial', documents: { TIDorInvoice: 'Optional', DefenseMaterial: 'Required' } }
const invalid: Defense = { code: 'InvalidChargeback', documents: { InvalidChargeback: 'Optional' } }

/**
 * The defense reasons that are offered for each dispute reason. Codes, documents and levels are those that Adyen
 * publishes.
 */
const defenses: Readonly<Record<string, readonly Defense[]>> = {
  fraudulent: [
    { code: 'CompellingEvidence', documents: { CardholderIdentification: 'Required' } },
    invalid,
    { code: 'RecurringTransactionsCompellingMerchantEvidence', documents: { MerchantProofOfRecurringTransaction: 'Optional' } },
    { code: 'ShippedToAVS', documents: { PositiveAVS: 'Required', ShippedToAVS: 'Required' } },
    material,
  ],
  product_not_received: [
    {
      code: 'GoodsOrServicesProvided',
      documents: { ProofOfAbilityToProvideServices: 'OneOrMore', ProofOfGoodsOrServicesProvided: 'OneOrMore' },
    },
    { code: 'MerchandiseReceived', documents: { DateMerchandiseShipped: 'Required', ProofOfGoodsOrServicesProvided: 'Required' } },
  ],
  product_unacceptable: [
    { code: 'GoodsNotReturned', documents: { TIDorInvoice: 'Optional', GoodsNotReturned: 'Required' } },
    { code: 'GoodsRepairedOrReplaced', documents: { TIDorInvoice: 'Optional', GoodsRepairedOrReplaced: 'Required' } },
    { code: 'GoodsWereAsDescribed', documents: { GoodsWereAsDescribed: 'Required', TIDorInvoice: 'Required' } },
    material,
  ],
  duplicate: [
    { code: 'PaymentByOtherMeans', documents: { PaymentByOtherMeans: 'Required' } },
    { code: 'InvalidChargebackBundling', documents: { InvalidChargeback: 'Required' } },
    material,
  ],
  subscription_canceled: [
    { code: 'CreditOrCancellationPolicyProperlyDisclosed', documents: { DisclosureAtPointOfInteraction: 'Required' } },
    { code: 'CancellationOrReturns', documents: { CancellationNeverAccepted: 'OneOrMore', GoodsNotReturned: 'OneOrMore' } },
  ],
}
const defensesOf = ({ reason }: Dispute): readonly Defense[] => defenses[reason] ?? [material]

function lacks({ documents }: Defense, given: readonly string[]): boolean {
  const of = (level: Level) => Object.keys(documents).filter(type => documents[type] === level)
  const oneOf = of('OneOrMore')
  return of('Required').some(type => !given.includes(type)) || (oneOf.length > 0 && !oneOf.some(type => given.includes(type)))
}

const noteId = ({ id }: Dispute): string => `defense_${id}`
const noteOf = ({ account }: ApiCall, dispute: Dispute): DefenseNote =>
  (account.documents.get(noteId(dispute)) as DefenseNote | undefined) ?? { id: noteId(dispute), object: 'adyen_defense', documents: {} }

const result = (more: object = {}, errorMessage?: string): Pick<CallResult, 'status' | 'body'> => ({
  status: 200,
  body: { ...more, disputeServiceResult: { success: errorMessage === undefined, ...(errorMessage !== undefined && { errorMessage }) } },
})

function about(asked: ApiCall, members: readonly string[], name: string): Dispute | null {
  const { account, body } = asked
  only(body, ['merchantAccountCode', 'disputePspReference', ...members], name)
  const merchantAccount = need(body, 'merchantAccountCode', '901', 'Invalid Merchant Account')
  const found = account.documents.get(need(body, 'disputePspReference', '702', "Required field 'disputePspReference' is not provided."))
  if (found?.object !== 'dispute') return null
  const dispute = found as Dispute
  const payment = account.payments.get(dispute.payment)!
  return payment.dialect === 'adyen' && paymentNote(account, payment.id).merchantAccount === merchantAccount ? dispute : null
}

const unknown = (): CallResult => ({ change: {}, ...result({}, 'Dispute not found') })

/** Carries out a response to a dispute. A refusal by the rules becomes the error message of the answer. */
function answered(act: () => Disputed): CallResult {
  try {
    return { change: changeOf(act()), ...result() }
  } catch (error) {
    if (error instanceof Refusal) return { change: {}, ...result({}, error.message) }
    throw error
  }
}

export function accept(asked: ApiCall): CallResult {
  const dispute = about(asked, [], 'AcceptDisputeRequest')
  return dispute ? answered(() => acceptDispute(asked.account, dispute, asked.turn)) : unknown()
}

export function listDefenses(asked: ApiCall): CallResult {
  const dispute = about(asked, [], 'DefenseReasonsRequest')
  if (!dispute) return { change: {}, ...result({ defenseReasons: [] }, 'Dispute not found') }
  const given = Object.keys(noteOf(asked, dispute).documents)
  const defenseReasons = defensesOf(dispute).map(defense => ({
    defenseReasonCode: defense.code,
    satisfied: !lacks(defense, given),
    defenseDocumentTypes: Object.entries(defense.documents).map(([type, requirementLevel]) => ({
      defenseDocumentTypeCode: type,
      available: given.includes(type),
      requirementLevel,
    })),
  }))
  return { change: {}, ...result({ defenseReasons }) }
}

export function supply(asked: ApiCall): CallResult {
  const dispute = about(asked, ['defenseDocuments'], 'SupplyDefenseDocumentRequest')
  const { defenseDocuments } = asked.body
  if (!dispute) return unknown()
  if (!Array.isArray(defenseDocuments) || defenseDocuments.length === 0)
    throw new AdyenRefusal(422, '702', "Required field 'defenseDocuments' is not provided.")
  const before = noteOf(asked, dispute)
  const documents = { ...before.documents }
  const supplied: string[] = []
  for (const one of defenseDocuments as Body[]) {
    only(one, ['content', 'contentType', 'defenseDocumentTypeCode'], 'DefenseDocument')
    const type = need(one, 'defenseDocumentTypeCode', '702', "Required field 'defenseDocumentTypeCode' is not provided.")
    if (!['application/pdf', 'image/jpg', 'image/jpeg', 'image/tiff'].includes(String(one.contentType)))
      return { change: {}, ...result({}, `Document type ${String(one.contentType)} is not supported`) }
    if (isMissing(one.content) || !/^[A-Za-z0-9+/]+={0,2}$/.test(String(one.content)))
      return { change: {}, ...result({}, 'The content of a document must be base64') }
    if (!defensesOf(dispute).some(({ documents }) => type in documents))
      return { change: {}, ...result({}, `Document type ${type} serves no defence of this dispute`) }
    if (supplied.includes(type)) return { change: {}, ...result({}, `Document type ${type} is supplied twice`) }
    supplied.push(type)
    documents[type] = `${Buffer.from(String(one.content), 'base64').length} bytes`
  }
  return { change: { documents: [{ ...before, documents } as DefenseNote] }, ...result() }
}

export function defend(asked: ApiCall): CallResult {
  const dispute = about(asked, ['defenseReasonCode'], 'DefendDisputeRequest')
  const code = need(asked.body, 'defenseReasonCode', '702', "Required field 'defenseReasonCode' is not provided.")
  if (!dispute) return unknown()
  const { documents } = noteOf(asked, dispute)
  const defense = defensesOf(dispute).find(one => one.code === code)
  if (!defense) return { change: {}, ...result({}, `Unknown defense reason: ${code}`) }
  const given = Object.keys(documents)
  if (lacks(defense, given)) return { change: {}, ...result({}, 'A required document is missing') }
  return answered(() => answerDispute(asked.account, dispute, { evidence: documents, submit: true }, asked.turn))
}
