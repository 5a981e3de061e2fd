import { deepEqual, equal, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import { after, test } from 'node:test'
import { Client, EnvironmentEnum, HttpURLConnectionClient, hmacValidator, TransfersAPI } from '@adyen/api-library'
import { openShop, openTestSandbox } from '../test-shop.ts'

/** Adyen's Transfers API as Adyen's own client library finds it: it pays out, looks up and cancels. */

const { url } = await openTestSandbox()
const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'

const letters: { text: string; headers: IncomingHttpHeaders }[] = []
const postbox = createServer(async (asked, answer) => {
  let text = ''
  for await (const chunk of asked) text += chunk
  letters.push({ text, headers: asked.headers })
  answer.writeHead(202).end()
})
await new Promise<void>(resolve => postbox.listen(0, '127.0.0.1', resolve))
after(() => postbox.close())

/** The library speaks only https, and to Adyen: its connection is another here, all else is its own. */
function openClient(key = `sandbox_${randomUUID()}`) {
  const connection = new HttpURLConnectionClient()
  type Options = { method?: string; headers: Record<string, string>; idempotencyKey?: string; params?: Record<string, string> }
  Object.assign(connection, {
    createRequest(endpoint: string, { method = 'POST', headers, idempotencyKey, params = {} }: Options) {
      const given = Object.entries(params).filter(([, value]) => value !== undefined)
      const query = given.length > 0 ? `?${new URLSearchParams(given)}` : ''
      const address = `${url}/adyenplatform${new URL(endpoint).pathname.replace(/^\/btl\/v4/, '')}${query}`
      return request(address, { method, headers: { ...headers, ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) } })
    },
  })
  const client = new Client({ apiKey: key, environment: EnvironmentEnum.TEST }, connection)
  return { transfers: new TransfersAPI(client).TransfersApi, sandbox: openShop(url, { key }) }
}

type Transfers = ReturnType<typeof openClient>['transfers']
const iban = { type: 'iban', iban: 'DE89370400440532013000' }
const asked = (more: object = {}, account: object = iban, holder: object = {}) => ({
  amount: { value: 1250, currency: 'EUR' },
  balanceAccountId: 'BA3227C223222B5B9SCR82TMV',
  category: 'bank',
  counterparty: { bankAccount: { accountHolder: { fullName: 'A. Klaassen', ...holder }, accountIdentification: account } },
  priority: 'regular',
  reference: 'payout 1',
  ...more,
})
const payOut = (transfers: Transfers, account: object = iban, idempotencyKey?: string) =>
  transfers.transferFunds(
    asked({}, account) as Parameters<Transfers['transferFunds']>[0],
    idempotencyKey === undefined ? {} : { idempotencyKey },
  )

test('a transfer is received, then booked; it is made once per idempotency key, and found by its reference', async () => {
  const { transfers, sandbox } = openClient()
  await sandbox.settings({ webhook_url: `http://127.0.0.1:${(postbox.address() as { port: number }).port}`, webhook_secret: HMAC_KEY })
  const received = await payOut(transfers, iban, 'key-1')
  deepEqual([received.status, received.reference, received.amount.value], ['received', 'payout 1', 1250])
  equal((await payOut(transfers, iban, 'key-1')).id, received.id)
  const found = await transfers.getTransfer(received.id!)
  deepEqual([found.status, found.events?.map(({ status }) => status)], ['booked', ['received', 'authorised', 'booked']])
  const list = (reference: string) =>
    transfers.getAllTransfers(
      new Date(Date.now() - 86_400_000),
      new Date(Date.now() + 86_400_000),
      ...([undefined, undefined, 'BA3227C223222B5B9SCR82TMV', undefined, reference] as const),
    )
  deepEqual([(await list('payout 1')).data?.length, (await list('payout 2')).data?.length], [1, 0])
  equal((await sandbox.call('GET', '/control/ledger')).json.payouts.length, 1)
  const { text, headers } = letters.at(-1)!
  equal(new hmacValidator().validateHMACSignature(HMAC_KEY, String(headers.hmacsignature), text), true)
  deepEqual([JSON.parse(text).type, JSON.parse(text).data.id], ['balancePlatform.transfer.updated', received.id])
})

test('a transfer that violates Adyen’s API schema is refused, and nothing is paid', async () => {
  const key = `sandbox_${randomUUID()}`
  const { sandbox } = openClient(key)
  // The library itself leaves out what it does not know.
  const refusedWith = async (body: object): Promise<number> => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    return (await fetch(`${url}/adyenplatform/transfers`, { method: 'POST', headers, body: JSON.stringify(body) })).status
  }
  for (const [more, account, holder] of [
    [{ bogus: 1 }, iban, {}],
    [{ priority: undefined }, iban, {}],
    [{ priority: 'pigeon' }, iban, {}],
    [{ category: 'card' }, iban, {}],
    [{ amount: { value: 0, currency: 'EUR' } }, iban, {}],
    [{ referenceForBeneficiary: 'not-plain' }, iban, {}],
    [{ description: 'chairs; tables' }, iban, {}],
    [{}, { ...iban, bogus: 1 }, {}],
    [{}, { type: 'ukLocal', accountNumber: '123456', sortCode: '060400' }, {}],
    [{}, { type: 'usLocal', accountNumber: '123456' }, {}],
    [{}, iban, { fullName: 'Zoë' }],
    [{}, iban, { address: { city: 'Here' } }],
  ] as const)
    equal(await refusedWith(asked(more, account, holder)), 422)
  await rejects(payOut(openClient('sk_invalid').transfers), { statusCode: 401 })
  deepEqual((await sandbox.call('GET', '/control/ledger')).json.payouts, [])
})

test('only a transfer that is not yet booked can be cancelled', async () => {
  const { transfers } = openClient()
  const [waits, paid] = [await payOut(transfers, { ...iban, iban: 'DE10370400440532000721' }), await payOut(transfers)]
  await transfers.cancelInitiatedTransfers({ transferIds: [waits.id!] })
  equal((await transfers.getTransfer(waits.id!)).status, 'cancelled')
  await rejects(transfers.cancelInitiatedTransfers({ transferIds: [paid.id!] }), { statusCode: 422 })
  await rejects(transfers.getTransfer('NONE'), { statusCode: 422 })
})
