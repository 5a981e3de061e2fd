import { test } from 'node:test'
import { cardNumbersIn, holdsCardNumber, withoutCardNumbers } from '../src/base/card-number.ts'
import { readXml } from '../src/base/read-xml.ts'
import { Secret } from '../src/base/secret.ts'
import { connectors } from '../src/connectors/all.ts'
import type { Account } from '../src/connectors/connector.ts'
import { readCsv } from '../src/guard/csv.ts'
import { readBody } from '../src/http/body.ts'
import { readBins } from '../src/instruments/read-bins.ts'
import { localizationOf } from '../src/pages/languages.ts'
import { readBankStatement } from '../src/settlement/readers/bank.ts'
import { openReport } from '../src/settlement/readers/read-report.ts'
import { tokenIn } from '../src/users/sessions.ts'
import { takesLinearTime } from './linear.ts'
import { inPieces } from './settlement/read.ts'

const secret = new Secret('secret')
const account = new Proxy({ webhook_secret: secret } as Record<string, unknown>, {
  get: (known, name) => (name in known ? known[name as string] : name === 'base_url' ? 'https://processor.example' : secret),
}) as unknown as Account
const headersWith = (text: string): Record<string, string> =>
  new Proxy({}, { get: (_known, name) => (typeof name === 'string' ? text : undefined) })

async function drain(lines: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of lines);
}
const readReport = async (text: string) => drain((await openReport(inPieces(Buffer.from(text)))).lines)
const readStatement = (text: string) => drain(readBankStatement(inPieces(Buffer.from(text))))

/** Lengths of the hostile texts, in bytes: of webhooks, of files that a merchant sends, and of bodies. */
type Lengths = { webhook: number; file: number; body: number }

/**
 * Tests that the readers of outside text take linear time. Headers have 16 kB at most, as Node takes them together.
 */
export function hostileTests(lengths: Lengths): void {
  webhookTests(lengths.webhook)
  test('a file of a merchant with hostile text keeps nobody waiting', async () => {
    await takesLinearTime('blocklist', lengths.file, readCsv)
    await takesLinearTime('blocklist line', lengths.file, readCsv, text => `type,data,metadata\ncard_bin,400000,${text}`)
    await takesLinearTime(
      'blocklist quoted',
      lengths.file,
      readCsv,
      text => `type,data,metadata\ncard_bin,400000,"${text.replaceAll('"', '""')}"`,
    )
    await takesLinearTime('report', lengths.file, readReport)
    await takesLinearTime('report line', lengths.file, readReport, text => `reference,currency,gross\nx,USD,${text}`)
    await takesLinearTime('bank', lengths.file, readStatement, text => `Date,Amount,Currency\n${text}`)
    await takesLinearTime('camt', lengths.file, readStatement, text => `<Document><Stmt><Ntry>${text}</Ntry><Ntry>`)
    await takesLinearTime('BINs', lengths.file, readBins, text => `bin,network,issuer\n424242,Visa,${text}`)
    await takesLinearTime('XML', lengths.file, readXml, text => `<a>${text}</a>`)
  })

  test('text in a body, a header or a cookie keeps nobody waiting', async () => {
    const body = (text: string) => readBody(Buffer.from(text), 'application/json')
    await takesLinearTime('body', lengths.body, body)
    await takesLinearTime('body text', lengths.body, body, text => JSON.stringify({ description: text }))
    await takesLinearTime('body name', lengths.body, body, text => JSON.stringify({ metadata: { [text]: 1 } }))
    await takesLinearTime('body number', lengths.body, body, text => `{"amount": 1.${text}}`)
    await takesLinearTime('content-type', 16_384, text => readBody(Buffer.from('{}'), `application/${text}`))
    await takesLinearTime('language', 16_384, text => localizationOf([text], text))
    await takesLinearTime('cookie', 16_384, tokenIn)
    for (const screen of [holdsCardNumber, cardNumbersIn, withoutCardNumbers]) await takesLinearTime(screen.name, lengths.body, screen)
  })
}

function webhookTests(longest: number): void {
  // Several names share the code of one connector.
  for (const [name, { webhook }] of Object.entries(connectors))
    if (webhook && Object.values(connectors).find(one => one.webhook?.read === webhook.read)?.name === name)
      test(`a webhook of ${name} with hostile text keeps nobody waiting`, async () => {
        const largest = Math.min(webhook.largest, longest)
        const at = '2026-01-01T00:00:00.000Z' as never
        await takesLinearTime(`${name}: read`, largest, text => webhook.read(Buffer.from(text)))
        await takesLinearTime(
          `${name}: read JSON`,
          largest,
          text => webhook.read(Buffer.from(text)),
          text => JSON.stringify({ id: text, type: text, resource: text, data: { object: { id: text, metadata: { request_id: text } } } }),
        )
        await takesLinearTime(`${name}: verify`, largest, text => webhook.verify(Buffer.from(text), { 'content-type': 'x' }, account, at))
        // Node takes headers of 16 kB together.
        await takesLinearTime(`${name}: verify headers`, 16_384, text => webhook.verify(Buffer.from('{}'), headersWith(text), account, at))
      })
}
