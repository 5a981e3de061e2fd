// The sandbox's own calls about disputes, and the calls with which tests control disputes.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from './books.ts'
import { spoilt, takeFault } from './calls.ts'
import { newId } from './context.ts'
import type { Desk } from './desk.ts'
import {
  acceptDispute,
  answerDispute,
  changeOf,
  type Disputed,
  decideDispute,
  needDispute,
  raise,
  reasons,
  showDispute,
} from './disputes.ts'
import { disputeStages, disputeStatuses } from './records.ts'
import { Refusal } from './refusals.ts'
import { type Body, isMissing, readBody, readInteger, readMatch, readWord } from './requests.ts'
import { accountOf } from './who.ts'

type Wire = { request: FastifyRequest<{ Params: { id: string } }>; reply: FastifyReply }
type Params = { Params: { id: string } }

/** The largest file that can be uploaded, in bytes. Files are larger than any other request. */
const LARGEST_FILE = 8_000_000

export function openDisputes(app: FastifyInstance, desk: Desk): void {
  const call = (path: string, act: (account: Account, id: string, body: Body) => Disputed) =>
    app.post<Params>(path, (request, reply) => perform(desk, { request, reply }, act))
  call('/v1/disputes/:id/accept', (account, id) => acceptDispute(account, needDispute(account, id), desk.turn(account)))
  call('/v1/disputes/:id/evidence', (account, id, body) =>
    answerDispute(account, needDispute(account, id), { evidence: readEvidence(body, account), submit: true }, desk.turn(account)),
  )

  app.get<Params>('/v1/disputes/:id', (request, reply) => {
    const name = accountOf(request)
    const order = takeFault(desk, name, 'lookup') ?? { fault: undefined, ms: 0 }
    return spoilt(desk, { request, reply }, { name, call: 'lookup' }, order, {
      withoutEffect: () => {},
      effect() {
        const account = desk.account(name)
        return { status: 200, replayed: false, body: showDispute(account, needDispute(account, request.params.id)) }
      },
    })
  })

  app.post('/v1/files', { bodyLimit: LARGEST_FILE }, async request => {
    const account = desk.account(accountOf(request))
    const body = readBody(request.body)
    const content = readMatch(body, 'content', /^[A-Za-z0-9+/]+={0,2}$/, 'base64')
    const name = readMatch(body, 'name', /^.{1,255}$/s, '1 to 255 characters')
    const content_type = readWord(body, 'content_type', ['application/pdf', 'image/jpeg', 'image/png'])
    const file = { id: newId(desk.context, 'file'), object: 'file', name, content_type, size: Buffer.from(content, 'base64').length }
    desk.write({ account: account.name, documents: [file] })
    await desk.synced()
    return file
  })

  app.post<Params>('/control/payments/:id/dispute', async request => {
    const account = desk.account(accountOf(request))
    const payment = account.payments.get(account.names.get(request.params.id) ?? request.params.id)
    if (payment === undefined) throw new Refusal('not_found', 'No such payment')
    const body = readBody(request.body)
    const ask = {
      ...(!isMissing(body.amount) && { amount: readInteger(body, 'amount', { from: 1, to: payment.captured }) }),
      ...(!isMissing(body.reason) && { reason: readWord(body, 'reason', Object.keys(reasons)) }),
      ...(!isMissing(body.stage) && { stage: readWord(body, 'stage', disputeStages) }),
    }
    return written(desk, account, raise(account, payment, ask, desk.turn(account)))
  })

  app.post<Params>('/control/disputes/:id', async request => {
    const account = desk.account(accountOf(request))
    const body = readBody(request.body)
    const to = {
      ...(!isMissing(body.status) && { status: readWord(body, 'status', disputeStatuses) }),
      ...(!isMissing(body.stage) && { stage: readWord(body, 'stage', disputeStages) }),
    }
    return written(desk, account, decideDispute(account, needDispute(account, request.params.id), to, desk.turn(account)))
  })
}

async function written(desk: Desk, account: Account, disputed: Disputed): Promise<object> {
  desk.write({ account: account.name, ...changeOf(disputed) })
  await desk.delivered(account)
  await desk.synced()
  return showDispute(account, disputed.dispute)
}

async function perform(desk: Desk, wire: Wire, act: (account: Account, id: string, body: Body) => Disputed): Promise<FastifyReply> {
  const name = accountOf(wire.request)
  const body = readBody(wire.request.body)
  const order = takeFault(desk, name, 'dispute') ?? { fault: undefined, ms: 1000 }
  return spoilt(desk, wire, { name, call: 'dispute' }, order, {
    withoutEffect: () => {},
    effect() {
      const account = desk.account(name)
      const disputed = act(account, wire.request.params.id, body)
      desk.write({ account: name, ...changeOf(disputed) })
      return { status: 200, replayed: false, body: showDispute(account, disputed.dispute) }
    },
  })
}

/** Reads evidence: texts, and files by their ids. Refuses (400) a file id that does not exist. */
function readEvidence({ texts = {}, files = {} }: Body, account: Account): Record<string, string> {
  const evidence: Record<string, string> = {}
  for (const [name, value] of [...Object.entries(texts as object), ...Object.entries(files as object)]) {
    if (!/^[a-z_]{1,64}$/.test(name) || typeof value !== 'string')
      throw new Refusal('invalid_request', 'Evidence must be text, or the id of a file', name)
    if (Object.hasOwn(files as object, name) && account.documents.get(value)?.object !== 'file')
      throw new Refusal('invalid_request', `No such file: '${value}'`, name)
    evidence[name] = value
  }
  return evidence
}
