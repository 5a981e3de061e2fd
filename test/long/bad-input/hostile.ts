import type { TSchema } from 'typebox'
import { type Field, factsOf, sample } from './fields.ts'

/**
 * Hostile values: a table by name, each as the JSON text that is sent (so that it may contain text that
 * `JSON.stringify` would never write).
 */

export type Hostile = {
  name: string
  /** The JSON text, or bytes in its place. */
  raw: string | Buffer
  /** Whether the value is not JSON, or cannot be stored and given back: it must be refused in any field. */
  never?: true
  /** Whether the whole body cannot be read, so that no field can be named. */
  nameless?: true
}

const value = (name: string, what: unknown): Hostile => ({ name, raw: JSON.stringify(what) })
const raw = (name: string, text: string): Hostile => ({ name, raw: text })
const never = (name: string, text: string): Hostile => ({ name, raw: text, never: true })
const unreadable = (name: string, bytes: string | Buffer): Hostile => ({ name, raw: bytes, never: true, nameless: true })
const nested = (levels: number, open: string, close: string, inside: string): string => open.repeat(levels) + inside + close.repeat(levels)

/** The values for every field. */
const everywhere: readonly Hostile[] = [
  value('null', null),
  value('empty text', ''),
  value('blank', ' '),
  value('true', true),
  value('false', false),
  value('zero', 0),
  value('one', 1),
  value('minus one', -1),
  value('one and a half', 1.5),
  value('a word', 'text'),
  value('a boolean as text', 'true'),
  value('a number as text', '1'),
  value('an empty array', []),
  value('an array of an array', [[]]),
  value('an empty object', {}),
  value('an object', { a: 1 }),
  raw('2^53-1', '9007199254740991'),
  never('2^53', '9007199254740992'),
  never('2^53+1', '9007199254740993'),
  never('1e400', '1e400'),
  raw('minus zero', '-0'),
  never('a whole number with digits that a double drops', '100.00000000000000000001'),
  value('70,000 characters', 'x'.repeat(70_000)),
  value('70,000 combining marks', `x${'\u0301'.repeat(70_000)}`),
  value('SQL', `Robert'); drop table payments;--`),
  value('HTML', '<script>alert(1)</script><img src=x onerror=alert(1)>'),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is the point of it
  value('templates', '${7*7} {{7*7}} %s %n #{1} $1 \\1'),
  value('a path', '../../../../etc/passwd'),
  value('line ends', 'a\r\nset-cookie: b=c\r\n\r\nx'),
  value('right to left', '\u202egpj.exe\u202c \u0645\u0631\u062d\u0628\u0627'),
  value('emoji', '👩‍👩‍👧‍👦🇨🇭👍🏽'),
  value('combining', 'Ame\u0301lie e\u0301 \ufb01'),
  value('__proto__', '__proto__'),
  value('constructor', 'constructor'),
  never('U+0000', '"a\\u0000b"'),
  never('a lone surrogate', '"a\\ud800b"'),
]

/** The values for some fields of every kind: those that the HTTP layer decides, or that are only variations. */
const sometimes: readonly Hostile[] = [
  never('a lone low surrogate', '"\\udc00"'),
  never('surrogates in the wrong order', '"\\udc00\\ud800"'),
  never('1e-400', '1e-400'),
  never('a tiny number with digits that are dropped', '1.2345678901e-320'),
  never('-1e400', '-1e400'),
  never('-2^53', '-9007199254740992'),
  never('many decimals', '0.12345678901234567890123'),
  never('2^53-1 and a bit', '9007199254740991.2'),
  raw('1e3', '1e3'),
  raw('1.0', '1.0'),
  value('2^31', 2_147_483_648),
  never('1e308', '1e308'),
  value('NaN as text', 'NaN'),
  value('400 digits as text', '9'.repeat(400)),
  value('tab, backspace and escape', '\t\b\u001b[31m\u007f'),
  value('line separators', 'a\u2028b\u2029c'),
  value('noncharacters', '\uffff\ufffe\u{10ffff}'),
  value('a byte order mark', '\ufeffa'),
  value('a lookalike', 'аpple'),
  value('an undefined word', 'undefined'),
  value('toString', 'toString'),
  raw('arrays 50 deep', nested(50, '[', ']', '')),
  raw('arrays 20,000 deep', nested(20_000, '[', ']', '')),
  raw('objects 50 deep', nested(50, '{"a":', '}', '1')),
  value('20,000 numbers', new Array(20_000).fill(7)),
  value('10,000 members', Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, i]))),
  never('a member __proto__', '{"__proto__":{"polluted":true}}'),
  never('a member __proto__, escaped', '{"\\u005f_proto__":{"polluted":true}}'),
  raw('a member constructor', '{"constructor":{"prototype":{"polluted":true}}}'),
  never('a member twice', '{"a":1,"a":2}'),
  never('a member twice, escaped', '{"a":1,"\\u0061":2}'),
  value('a member of no name', { '': 1 }),
  never('a member named with U+0000', '{"a\\u0000":1}'),
  never('a member named with a lone surrogate', '{"\\ud800":1}'),
  value('an array of null and empty', [null, '', 0, false]),
  value('an object of null and empty', { a: null, b: '', c: 0, d: false }),
  unreadable('NaN', 'NaN'),
  unreadable('undefined', 'undefined'),
  unreadable('single quotes', "'a'"),
  unreadable('hexadecimal', '0x10'),
  unreadable('a leading zero', '01'),
  unreadable('a leading plus', '+1'),
  unreadable('a trailing comma', '[1,]'),
  unreadable('a comment', '1/* */'),
  unreadable('nothing', ''),
  unreadable('an open text', '"abc'),
  unreadable('a bare line end in a text', '"a\nb"'),
  unreadable('a bare U+0000', Buffer.from('"a\0b"')),
  unreadable('a byte that is not UTF-8', Buffer.from([0x22, 0xff, 0x22])),
  unreadable('half a character', Buffer.from([0x22, 0xe2, 0x82, 0x22])),
  unreadable('U+0000 overlong', Buffer.from([0x22, 0xc0, 0x80, 0x22])),
  unreadable('a surrogate as bytes', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])),
]

const keys = (count: number, name = (i: number) => `k${i}`) => Object.fromEntries(Array.from({ length: count }, (_, i) => [name(i), 'v']))

/** The values for metadata: at and beyond its limits. */
const forMetadata: readonly Hostile[] = [
  value('50 keys', keys(50)),
  { ...value('51 keys', keys(51)), never: true },
  value('a key of 40', { ['k'.repeat(40)]: 'v' }),
  { ...value('a key of 41', { ['k'.repeat(41)]: 'v' }), never: true },
  value('a value of 500', { k: 'v'.repeat(500) }),
  { ...value('a value of 501', { k: 'v'.repeat(501) }), never: true },
  value('a value of 500 emoji', { k: '😀'.repeat(500) }),
  { ...value('a value of 501 combining marks', { k: '\u0301'.repeat(501) }), never: true },
  value('values of every type', { a: null, b: '', c: true, d: 1.5, e: [null, ''], f: { g: null, h: '' }, ' ': ' ' }),
  { ...value('an object of more than 500', { k: { a: 'v'.repeat(500) } }), never: true },
  value('names of objects', { constructor: 'a', prototype: 'b', toString: 'c', hasOwnProperty: 'd', valueOf: 'e' }),
  value('hostile keys', { "'; drop table payments;--": 1, '<b>': 2, 'a.b': 3, 'a[0]': 4, $ne: 5, '👍': 6, 'a\nb': 7 }),
  never('a key with U+0000', '{"a\\u0000b":"v"}'),
  never('a key __proto__', '{"__proto__":"v"}'),
  never('a key twice', '{"a":"1","b":2,"a":"3"}'),
  never('U+0000 deep inside', '{"a":{"b":["\\u0000"]}}'),
  never('2^53+1 deep inside', '{"a":{"b":[9007199254740993]}}'),
  never('too many digits deep inside', '{"a":{"b":[0.1234567890123456789]}}'),
]

/** Gives values at and just over the limits of one field. */
function around(schema: TSchema): Hostile[] {
  const { maxLength, minimum, maximum, enum: allowed, format } = factsOf(schema)
  const list: Hostile[] = []
  if (maxLength !== undefined) {
    list.push(value(`${maxLength} characters`, 'x'.repeat(maxLength)))
    list.push(value(`${maxLength} emoji`, '😀'.repeat(maxLength)))
    list.push(value(`${maxLength + 1} characters`, 'x'.repeat(maxLength + 1)))
    list.push(value(`${maxLength} with a mark on each`, 'e\u0301'.repeat(maxLength)))
  }
  if (minimum !== undefined) list.push(value('the minimum', minimum), value('less than the minimum', minimum - 1))
  if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER)
    list.push(value('the maximum', maximum), value('more than the maximum', maximum + 1))
  if (allowed) {
    const [first] = allowed as string[]
    const near = [first!.toUpperCase(), first!.toLowerCase(), `${first} `, ` ${first}`, `${first}x`, first!.slice(0, -1), `${first}\n`]
    // Card networks may be written in capitals.
    for (const word of near)
      if (!allowed.includes(word) && !(word === 'VISA' && first === 'Visa'))
        list.push(value(`nearly a valid word: ${JSON.stringify(word)}`, word))
    list.push(value('a valid word', first), value('a valid word in an array', [first]))
    list.push(never('a valid word and U+0000', JSON.stringify(`${first}\u0000`)))
  }
  const formats = [format, ...(factsOf(schema).anyOf ?? []).map(one => factsOf(one).format)]
  if (formats.includes('date-time')) list.push(...times)
  if (formats.includes('uri')) list.push(...addresses)
  return list
}

const times: Hostile[] = [
  value('a time', '2031-02-03T04:05:06Z'),
  value('a time with an offset', '2031-02-03T04:05:06.789+05:30'),
  value('a time in small letters', '2031-02-03t04:05:06z'),
  value('a time with nanoseconds', '2031-02-03T04:05:06.123456789Z'),
  value('the last day', '9999-12-31T23:59:59.999Z'),
  value('the year 0', '0000-01-01T00:00:00Z'),
  value('the year 1', '0001-01-01T00:00:00+23:59'),
  value('beyond the last day', '9999-12-31T23:59:59-23:59'),
  value('a leap second', '2016-12-31T23:59:60Z'),
  value('a leap day', '2032-02-29T00:00:00Z'),
  ...[
    '2031-02-30T00:00:00Z',
    '2031-02-29T00:00:00Z',
    '2031-13-01T00:00:00Z',
    '2031-01-01T24:00:00Z',
    '2031-01-01T00:00:00',
    '2031-01-01',
    '2031-01-01 00:00:00Z',
    '+012031-01-01T00:00:00Z',
    '2031-01-01T00:00:00+24:00',
    'tomorrow',
    '1924000000',
    'Never',
  ].map(text => never(`no time: ${text}`, JSON.stringify(text))),
]

const addresses: Hostile[] = [
  value('an address', 'https://shop.example/thanks?a=b#c'),
  value('an address in capitals', 'HTTPS://SHOP.EXAMPLE/'),
  value('an address with a port', 'http://localhost:3000/done'),
  ...[
    'javascript:alert(1)',
    'JaVaScRiPt:alert(document.domain)',
    'data:text/html,<script>alert(1)</script>',
    'data:text/html;base64,PHNjcmlwdD4=',
    'vbscript:msgbox',
    'file:///etc/passwd',
    'mailto:a@b.example',
    'urn:isbn:0451450523',
    'shop.example/thanks',
    '//shop.example/thanks',
    '/thanks',
    'https:',
    'https://',
    'https:///thanks',
    'http:shop.example',
    'https:/shop.example',
    'https://shop .example/',
    'https://shop.example/\r\nset-cookie: a=b',
    'https://[::zz]/',
    'https://256.256.256.256/',
    'https://shop.example:99999/',
    'https://%zz/',
    'https://a%00b.example/',
    ' https://shop.example/',
    'https://shop.example\\@evil.example/',
  ].map(text => never(`no address: ${JSON.stringify(text)}`, JSON.stringify(text))),
]

const no = (what: string): Hostile => never(`not good: ${JSON.stringify(what)}`, JSON.stringify(what))
const yes = (what: string): Hostile => value(`good: ${JSON.stringify(what)}`, what)

/** The values for single fields, by name. */
const special: Record<string, Hostile[]> = {
  card_number: [
    ...['4242424242424242', '4242 4242 4242 4242', '4242-4242-4242-4242', '378282246310005', '6304000000000000'].map(yes),
    ...[
      '4242424242424241',
      '4242',
      '42424242424242424242',
      '４２４２４２４２４２４２４２４２',
      '4242424242424242x',
      '4242.4242.4242.4242',
    ].map(no),
    ...['0x4242424242424242', '+4242424242424242', '-', '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢', '4242424242424242;4242424242424242'].map(no),
  ],
  card_exp_month: [
    ...['1', '01', '12', '012'].map(yes),
    ...['0', '00', '13', '99', '1.0', '1e0', ' 1', '１', 'Jan', '-1', '00012'].map(no),
  ],
  card_exp_year: [
    ...['40', '2040', '2199'].map(yes),
    ...['0', '00', '20', '040', '1999', '2020', '2200', '9999', '02040', '2040 ', '２０４０', '2e3', '99999'].map(no),
  ],
  card_cvc: [...['123', '1234', '000'].map(yes), ...['12', '12345', '１２３', '1e2', '12 ', '-12', '1.2', '٠٠٠'].map(no)],
  payment_channel: [yes('ecommerce')],
  encoded_data: [value('credentials', { connector_account_details: { auth_type: 'HeaderKey', api_key: 'sandbox_till' } })],
  connector_account_details: [value('credentials', { auth_type: 'HeaderKey', api_key: 'sandbox_till' })],
  session_expiry: [value('at once', 0), value('most', 2_147_483_647), never('less than none', '-1'), never('more than most', '2147483648')],
}

/** Gives the hostile values for one field. `thorough`: with all variations. */
export function hostileFor(field: Field, thorough: boolean): Hostile[] {
  const { schema, path } = field
  const last = path[path.length - 1]!
  const isMetadata = path.length === 1 && (last === 'metadata' || last === 'frm_metadata')
  // A list without its one element is an empty list, which is valid.
  const variations = last === '0' ? sometimes.filter(({ name }) => name !== 'nothing') : sometimes
  return [
    value('a small good value', sample(schema)),
    ...everywhere,
    ...around(schema),
    ...(special[last] ?? []),
    ...(isMetadata ? forMetadata : []),
    ...(thorough || isMetadata ? variations : []),
  ]
}
