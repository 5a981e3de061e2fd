import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openReceiver } from '../../test/receiver.ts'
import { isRefused } from '../../test/refused.ts'
import { openPlace, openShop } from '../../test/shop.ts'
import { type Names, openReach } from './reach.ts'

/** The internal addresses, in every spelling. */
const inside = [
  ...'127.0.0.1 127.1 127.0.1 0 0.0.0.0 0x7f.1 0x7f000001 2130706433 017700000001 0177.0.0.1 127.255.255.254 10.0.0.1 10.255.255.255 0x0a000001 012.0.0.1'.split(
    ' ',
  ),
  ...'168.63.129.16 0xa83f8110 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255 3232235521 169.254.169.254 0xa9fea9fe 2852039166 169.254.0.1 100.64.0.1 100.127.255.255'.split(
    ' ',
  ),
  ...'192.0.0.1 192.0.2.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 192.88.99.1'.split(
    ' ',
  ),
  ...'[::] [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:10.0.0.1] [::127.0.0.1] [::ffff:169.254.169.254] [::7f00:1]'.split(
    ' ',
  ),
  ...'[::ffff:168.63.129.16] [64:ff9b::a83f:8110] [fd20:ce::254] [fe80::1] [febf::1] [fc00::1] [fd00::1] [fd00:ec2::254] [ff02::1] [64:ff9b::7f00:1] [64:ff9b::a00:1] [64:ff9b:1::1] [2002:7f00:1::] [2002:a00:1::1]'.split(
    ' ',
  ),
  ...'[2001::1] [2001:db8::1] [100::1] [fec0::1] [3fff::1] [5f00::1]'.split(' '),
  ...'localhost LOCALHOST localhost. a.localhost 127.0.0.1. ①②⑦.⓪.⓪.① 127。0。0。1 metadata metadata.google.internal kubernetes.default.svc.local router.lan printer.home db.corp x.internal x.intranet 1.0.0.127.in-addr.arpa'.split(
    ' ',
  ),
]

const hostile: readonly string[] = [
  ...inside.map(host => `https://${host}/hooks`),
  ...inside.map(host => `https://${host}:443/`),
  ...inside.slice(0, 20).map(host => `http://${host}/`),
  ...'http://shop.example/ http://93.184.216.34/ https://shop.example:22/ https://shop.example:6379/ https://shop.example:8080/ https://shop.example:25/'.split(
    ' ',
  ),
  ...'https://user@shop.example/ https://user:pass@shop.example/ https://shop.example@127.0.0.1/ https://127.0.0.1@shop.example/ https://:@shop.example/'.split(
    ' ',
  ),
  ...'ftp://shop.example/ file:///etc/passwd gopher://127.0.0.1:6379/ javascript:alert(1) data:text/plain,x dict://127.0.0.1/ ldap://127.0.0.1/ //shop.example/ https:shop.example https:/shop.example https://'.split(
    ' ',
  ),
  'https://shop.example\\@127.0.0.1/',
  'https://127.0.0.1\\.shop.example/',
  'https://shop.example /x',
  'https://shop.example\n.127.0.0.1/',
  ' https://127.0.0.1/',
  'https://127.0.0.1\t/',
  'https://[::1',
  'https://[::1%25lo]/',
  'https://.../',
  'https://256.256.256.256/',
]

test('an internal address is refused for webhooks, in every spelling', async () => {
  const reach = openReach()
  ok(hostile.length >= 150, `${hostile.length} addresses`)
  deepEqual(
    hostile.filter(url => reach.refuses(url) === null),
    [],
  )
  for (const url of [
    'https://shop.example/hooks',
    'https://93.184.216.34/',
    'https://[2606:2800:220:1::1]/',
    'https://shop.example:8443/a?b=c',
  ])
    equal(reach.refuses(url), null, url)
})

/** The receiver at an internal address, which must receive nothing. */
const receiving = openReceiver()

/**
 * Resolves host names as a merchant could set them up: one to an internal address, one to two addresses, and one to
 * another address at each look-up.
 */
let rebound = 0
const names: Names = (name, _options, callback) => {
  const reply: typeof callback = (...answer) => setImmediate(callback, ...answer)
  const at = (...addresses: string[]) =>
    reply(
      null,
      addresses.map(address => ({ address, family: 4 })),
    )
  if (name === 'inside.example' || name === 'localhost') return at('127.0.0.1')
  if (name === 'both.example') return at('93.184.216.34', '127.0.0.1')
  if (name === 'rebinds.example') return at(rebound++ === 0 ? '93.184.216.34' : '127.0.0.1')
  return reply(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), [])
}
/** Opens a deployment whose settings allow no internal address but the sandbox's. */
const openOutside = () => openPlace({ webhookLoopback: false }, undefined, undefined, { names })

test('a connector cannot use an internal address, by IP, host name or DNS rebinding, unless the deployment configures it', async () => {
  await openOutside()
  const [receiver, shop] = [await receiving, await openShop()]
  const { port } = new URL(receiver.url)
  const path = `/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`
  const elsewhere = (base_url: string) => ({
    metadata: { base_url },
    connector_account_details: { auth_type: 'HeaderKey', api_key: 'sandbox_of_a_thief' },
  })
  const verify = (base_url: string) => shop.post('/account/connectors/verify', { connector_name: 'phonypay', ...elsewhere(base_url) })
  const inside = [
    receiver.url,
    `http://inside.example:${port}`,
    'https://both.example',
    'http://169.254.169.254/latest',
    'http://168.63.129.16',
  ]
  for (const url of inside) {
    isRefused(await shop.post(path, { connector_type: 'payment_processor', ...elsewhere(url) }), 422, 'IR_05', /base_url/)
    isRefused(await verify(url), 422, 'IR_05', /base_url/)
  }
  // The address was public when it was checked, and is internal when it is connected to.
  rebound = 0
  const { body } = await verify(`http://rebinds.example:${port}`)
  deepEqual([body.verified, /ENOTPUBLIC/.test(body.error_message)], [null, true], JSON.stringify(body))
  for (const url of inside) {
    await shop.query('update connector_accounts set details = details || $1 where merchant_id = $2', [
      { metadata: { base_url: url } },
      shop.merchant_id,
    ])
    await shop.query('update settings_version set version = version + 2')
    await shop.service.settings.refresh()
    const { status, error_message } = await shop.pay()
    deepEqual([status, /nothing was sent/.test(error_message)], ['failed', true], `${url}: ${error_message}`)
  }
  equal(receiver.received.length, 0)
  equal((await (await openShop()).pay()).status, 'succeeded', 'the sandbox is one of the settings')
})

test('a host name that resolves to an internal address is refused at the DNS lookup', async () => {
  const reach = openReach()
  const looked = await new Promise(resolve => reach.lookup('localhost', { all: true }, error => resolve(error?.code)))
  equal(looked, 'ENOTPUBLIC')
})

test('internal addresses are refused when webhook endpoints are created or updated, and nothing is sent to a stored one', async () => {
  await openOutside()
  const [receiver, shop] = [await receiving, await openShop()]
  const { body: endpoint } = await shop.post('/webhook_endpoints', { url: 'https://93.184.216.34/hooks' })
  const [{ profile_id }] = (await shop.call('GET', `/account/${shop.merchant_id}/business_profile`)).body
  const profile = `/account/${shop.merchant_id}/business_profile/${profile_id}`
  for (const url of hostile) {
    isRefused(await shop.post('/webhook_endpoints', { url }), 422, 'IR_05', /url/)
    isRefused(await shop.post(`/webhook_endpoints/${endpoint.endpoint_id}`, { url }), 422, 'IR_05', /url/)
    const answer = await shop.post(profile, { webhook_details: { webhook_url: url } })
    ok([400, 422].includes(answer.status) && /webhook_url/.test(answer.text), `${url}: ${answer.text}`)
  }
  for (const url of [receiver.url, receiver.url.replace('127.0.0.1', 'localhost'), ...hostile.filter(url => URL.canParse(url))]) {
    await shop.query('update webhook_endpoints set url = $1 where merchant_id = $2', [url, shop.merchant_id])
    await shop.query('update settings_version set version = version + 2')
    await shop.service.settings.refresh()
    const { status, body, text } = await shop.post(`/webhook_endpoints/${endpoint.endpoint_id}/test`, {})
    equal(status, 200, text)
    // Some addresses are harmless once they are normalized for sending: they name a host that does not exist.
    equal(body.response.status_code, null, url)
    match(body.response.error_message, /not a public address|not an http address|ENOTFOUND|EAI_AGAIN|ENOTPUBLIC/, url)
  }
  equal(receiver.received.length, 0)
})
