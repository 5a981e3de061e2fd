import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '../../base/secret.ts'
import { redact } from './text.ts'

const redacted = (text: string, ...secrets: string[]): string =>
  redact(
    text,
    secrets.map(secret => new Secret(secret)),
  )

test('an API key that a processor repeats is redacted; a short key is redacted only as a whole word', () => {
  equal(redacted('{"error":"Invalid key sk_live_12345678x"}', 'sk_live_12345678'), '{"error":"Invalid key [secret]x"}')
  equal(redacted('{"status":"ok","key":"k"}', 'k'), '{"status":"ok","key":"[secret]"}')
  equal(redacted('key=demo; demonstration', 'demo'), 'key=[secret]; demonstration')
  equal(redacted('nothing', ''), 'nothing')
})

test('a secret of digits is redacted within any word', () => {
  equal(redacted('cvc737 is wrong, 737', '737'), 'cvc[secret] is wrong, [secret]')
})
