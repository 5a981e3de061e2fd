// PayPal's disputes over the sandbox's: read, accepted, contested with evidence, and appealed once they are lost.

import { acceptDispute, answerDispute, changeOf, type Disputed, decideDispute, needDispute } from '../disputes.ts'
import { partOf } from '../form-part.ts'
import { Refusal } from '../refusals.ts'
import type { ApiCall, CallResult } from './language.ts'
import { DISPUTES, mayAppeal, showDispute } from './paypal-show.ts'

const answered = (asked: ApiCall, change: Disputed): CallResult => ({
  change: changeOf(change),
  body: { links: [{ href: `${asked.url}/paypal${DISPUTES}/${asked.params.id}`, rel: 'self', method: 'GET' }] },
})

/** Returns the evidence texts in a form's `input`. Files are accepted without a check. */
function inputIn(form: unknown): string {
  const text = partOf(String(form ?? ''), 'input')?.content
  try {
    const { evidences } = JSON.parse(text ?? '') as { evidences: { evidence_type?: unknown; notes?: string; documents?: unknown }[] }
    if (evidences.length === 0 || evidences.some(one => typeof one.evidence_type !== 'string')) throw new Error()
    return evidences.map(({ notes, evidence_type }) => notes ?? String(evidence_type)).join(' ')
  } catch {
    throw new Refusal('invalid_request', 'MISSING_EVIDENCE')
  }
}

/** Returns the evidence text that decides the dispute in tests, if present; otherwise the whole text. */
const deciding = (evidence: string): string => /winning_evidence|losing_evidence/.exec(evidence)?.[0] ?? evidence

export const disputeActs = {
  read: (asked: ApiCall): CallResult => ({ body: showDispute(asked, needDispute(asked.account, asked.params.id!)) }),
  accept(asked: ApiCall): CallResult {
    return answered(asked, acceptDispute(asked.account, needDispute(asked.account, asked.params.id!), asked.turn))
  },
  evidence(asked: ApiCall): CallResult {
    const evidence = { uncategorized_text: deciding(inputIn(asked.body.form)) }
    return answered(
      asked,
      answerDispute(asked.account, needDispute(asked.account, asked.params.id!), { evidence, submit: true }, asked.turn),
    )
  },
  appeal(asked: ApiCall): CallResult {
    const dispute = needDispute(asked.account, asked.params.id!)
    if (!mayAppeal(dispute)) throw new Refusal('not_allowed', 'APPEAL_NOT_ALLOWED')
    inputIn(asked.body.form)
    return answered(asked, decideDispute(asked.account, dispute, { stage: 'second_chargeback', status: 'under_review' }, asked.turn))
  },
}
