import { deepEqual, equal } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Contracts } from '../contracts.ts'

/**
 * A small example of a processor's document: a call opens a purse with an amount and an owner, and its answer contains
 * the purse's id.
 */
const components = {
  schemas: {
    Named: { type: 'object', properties: { name: { type: 'string' } } },
    Owner: {
      allOf: [{ $ref: '#/components/schemas/Named' }, { type: 'object', properties: { mail: { type: 'string', nullable: true } } }],
    },
    Purse: {
      type: 'object',
      required: ['value'],
      properties: {
        value: { type: 'integer' },
        owner: { $ref: '#/components/schemas/Owner' },
        notes: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
    Opened: { type: 'object', properties: { id: { type: 'string' } } },
  },
}
const bodied = (media: string, schema: string) => ({ content: { [media]: { schema: { $ref: `#/components/schemas/${schema}` } } } })
const documentIn = (media: string) => ({
  openapi: '3.0.0',
  info: { title: 'Purses', version: '1' },
  paths: {
    '/purses': { post: { requestBody: bodied(media, 'Purse'), responses: { 200: bodied('application/json', 'Opened') } } },
    '/purses/{id}': { get: { parameters: [{ in: 'query', name: 'expand' }], responses: { 200: bodied('application/json', 'Opened') } } },
  },
  components,
})

const folder = mkdtempSync(join(tmpdir(), 'switchyard-contracts-'))
after(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'adyen-checkout.openapi.json'), JSON.stringify(documentIn('application/json')))
writeFileSync(join(folder, 'stripe.openapi.json'), JSON.stringify(documentIn('application/x-www-form-urlencoded')))

/** Gives the complaints about one call. */
function complaintsOf(at: string, body: string, answer = '{"id":"p_1"}', status = 200): string[] {
  const contracts = new Contracts(folder)
  const type = at.startsWith('/stripe') ? 'application/x-www-form-urlencoded' : 'application/json'
  contracts.judge({ method: body === '' ? 'GET' : 'POST', url: at, type, body, status, answer })
  const { lines, complaints } = contracts.report()
  const reported = lines.slice(lines.indexOf('Complaints:') + 1)
  equal(reported.length, complaints)
  return reported.map(line => line.trim())
}

test('a request that matches the OpenAPI document of the processor causes no complaint', () => {
  const purse = { value: 5, owner: { name: 'Ada', mail: null }, notes: { colour: 'red' } }
  deepEqual(complaintsOf('/adyen/purses', JSON.stringify(purse)), [])
  deepEqual(complaintsOf('/stripe/purses', 'value=5&owner[name]=Ada&notes[colour]=red'), [])
  deepEqual(complaintsOf('/adyen/purses/p_1?expand=owner', ''), [])
})

test('a member or query parameter that the document does not have causes a complaint, at any depth, in JSON and in a form', () => {
  const at = 'POST adyen-checkout/purses, request'
  deepEqual(complaintsOf('/adyen/purses', '{"value":5,"bogus":true}'), [`${at}: / must NOT have unevaluated properties bogus (1)`])
  const deep = complaintsOf('/adyen/purses', '{"value":5,"owner":{"name":"Ada","bogus":true}}')
  deepEqual(deep, [`${at}: /owner must NOT have unevaluated properties bogus (1)`])
  const form = complaintsOf('/stripe/purses', 'value=5&owner[bogus]=1')
  deepEqual(form, ['POST stripe/purses, request: /owner must NOT have unevaluated properties bogus (1)'])
  const asked = complaintsOf('/adyen/purses/p_1?bogus=1', '')
  deepEqual(asked, ['GET adyen-checkout/purses/{id}, request: query parameter bogus is not in the document (1)'])
})

test('a missing member, a wrong type, and an invalid sandbox response cause a complaint', () => {
  const at = 'POST adyen-checkout/purses'
  deepEqual(complaintsOf('/adyen/purses', '{"notes":{}}'), [`${at}, request: / must have required property 'value' value (1)`])
  deepEqual(complaintsOf('/adyen/purses', '{"value":"5"}'), [`${at}, request: /value must be integer 5 (1)`])
  deepEqual(complaintsOf('/adyen/purses', '{"value":5}', '{"id":1}'), [`${at}, answer: /id must be string 1 (1)`])
})

test('an unreadable response causes no complaint, and a call that is not in the document is listed separately', () => {
  deepEqual(complaintsOf('/adyen/purses', '{"value":5}', '<html>'), [])
  deepEqual(complaintsOf('/adyen/purses', '{"value":5}', '{}'), [])
  const contracts = new Contracts(folder)
  contracts.judge({ method: 'POST', url: '/adyen/boxes', type: '', body: '{}', status: 200, answer: '' })
  contracts.judge({ method: 'POST', url: '/mollie/boxes', type: '', body: '{}', status: 200, answer: '' })
  const { lines, complaints } = contracts.report()
  deepEqual([lines.includes('  POST /adyen/boxes (1)'), lines.some(line => line.includes('mollie')), complaints], [true, false, 0])
})
