import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { isHostName } from './host-name.ts'

test('a host name has labels of letters, digits and inner hyphens, 63 characters each and 253 in all', () => {
  const label = 'a'.repeat(63)
  const names = [
    'shop.example',
    'localhost',
    '10.0.0.1',
    'Pay-2.Shop.Example',
    `${label}.example`,
    [label, label, label, 'a'.repeat(61)].join('.'),
  ]
  const others = ['', '.', 'shop..example', '-shop.example', 'shop-.example', 'shop.example.', 'shop_1.example', `${label}a.example`]
  const wrong = [...others, [label, label, label, 'a'.repeat(62)].join('.'), 'shop.example; script-src *', 'shop.example:443', 'mü.example']
  deepEqual(
    names.filter(name => !isHostName(name)),
    [],
  )
  deepEqual(wrong.filter(isHostName), [])
})
