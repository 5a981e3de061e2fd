import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { bridgeOpenapi } from './openapi.ts'

test('the bridge protocol is described by a valid OpenAPI document', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(bridgeOpenapi()) as Record<string, unknown>)
  ok(valid, JSON.stringify(errors))
  deepEqual(errors, undefined)
})
