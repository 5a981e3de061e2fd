import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import jsqr from 'jsqr'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { eventually } from '../eventually.ts'
import { signIn as enter, entered, join, PASSWORD, someEmail, tokenOf } from '../people.ts'
import { type Body, http, openShop, type Shop } from '../shop.ts'
import { addAccount } from '../two-accounts.ts'
import { builtFirst, ownerOf, signedIn, signIn, wide } from './dashboard.ts'
import { barriers, see } from './look.ts'
import { visit } from './visit.ts'

// Users in the dashboard: requests that wait for a second person's approval, their own account, and their colleagues.

builtFirst()

/** Signs the owner in again. */
const newlyIn = async (shop: Shop) => entered(shop, await enter(shop, (await ownerOf(shop)).user.email))

/** Reads a QR code on the page, as a phone does. */
async function readQr(page: Page): Promise<string> {
  const { data, size } = (await page.evaluate(`(async element => {
    const of = 'data:image/svg+xml,' + encodeURIComponent(new XMLSerializer().serializeToString(element))
    const size = 400
    const picture = Object.assign(new Image(size, size), { src: of })
    await picture.decode()
    const drawing = Object.assign(document.createElement('canvas'), { width: size, height: size }).getContext('2d')
    drawing.fillStyle = '#fff'
    drawing.fillRect(0, 0, size, size)
    drawing.drawImage(picture, 0, 0, size, size)
    return { data: [...drawing.getImageData(0, 0, size, size).data], size }
  })(document.querySelector('svg.qr'))`)) as { data: number[]; size: number }
  return jsqr.default(new Uint8ClampedArray(data), size, size)!.data
}

/** Opens a shop in which every refund waits for a second person's approval, with one refund that waits. */
async function openWaiting() {
  const shop = await openShop()
  const owner = await ownerOf(shop)
  const colleague = await join(shop, owner, 'admin')
  equal((await owner.post('/approvals/settings', { above: { EUR: 1000 } })).status, 200)
  const payment = await shop.pay({ currency: 'EUR', amount: 24_900 })
  return { shop, owner, colleague, payment }
}

test('a refund above the limit waits on its payment’s page, and is sent when a colleague approves it', async () => {
  const { shop, colleague, payment } = await openWaiting()
  const mine = await signedIn(shop, `/payments/${payment.payment_id}`)
  await mine.page.getByRole('button', { name: 'Refund' }).first().click()
  const dialog = mine.page.getByRole('dialog', { name: 'Refund this payment?' })
  await dialog.getByText('A second person has to approve it first.').waitFor()
  await dialog.getByRole('button', { name: /^Refund 249/ }).click()
  await mine.page.getByText('It waits for a second person.').waitFor()
  const approveIt = /^Approve: Refund 249\.00 EUR/
  equal(await mine.page.getByRole('button', { name: approveIt }).isDisabled(), true, 'not one’s own')
  deepEqual(await barriers(mine.page), [])

  const asColleague = await visit(shop.url, '/dashboard/', { width: 1440, height: 900 })
  await signIn(asColleague, shop, colleague)
  await asColleague.page.getByRole('link', { name: /249\.00 EUR approval waiting/ }).click()
  await asColleague.page.getByRole('button', { name: approveIt }).click()
  const question = asColleague.page.getByRole('dialog', { name: 'Approve this?' })
  match(await question.getByTestId('consequence').innerText(), /^249\.00 EUR will be given back, of pay_\w+, in the name of Olga Owner/)
  await question.getByRole('button', { name: approveIt }).click()
  await question.waitFor({ state: 'hidden' })
  await asColleague.page.getByText('Nothing waits for a second person.').waitFor()
  equal((await shop.get(payment.payment_id)).refunds.length, 1)
  await asColleague.page.getByText('All', { exact: true }).click()
  match(await asColleague.page.getByRole('row', { name: /Refund 249/ }).innerText(), /executed/)
  deepEqual(await barriers(asColleague.page), [])
  deepEqual([...mine.problems, ...asColleague.problems], [])
})

test('approval limits are set by currency, and a text that is no amount is refused', async () => {
  const shop = await openShop()
  const { page, problems } = await signedIn(shop, '/approvals')
  await page.getByText('Nothing: each person refunds and pays out alone.').waitFor()
  await page.getByRole('button', { name: 'Change…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change what needs a second person?' })
  await dialog.getByLabel('A second person above').fill('EUR 5.001')
  equal(await dialog.getByRole('button', { name: 'Change it' }).isDisabled(), true)
  await dialog.getByLabel('A second person above').fill('EUR 500.00, JPY 60000')
  match(await dialog.getByTestId('consequence').innerText(), /above 500\.00 EUR, 60,000 JPY wait/)
  await dialog.getByRole('button', { name: 'Change it' }).click()
  await page.getByText(/above 500\.00 EUR, 60,000 JPY; in other currencies any amount/).waitFor()
  deepEqual((await (await ownerOf(shop)).get('/approvals/settings')).body, { above: { EUR: 50_000, JPY: 60_000 } })
  deepEqual(await barriers(page), [])
  deepEqual(problems, [])
})

test('users enable a second factor, change their password and sign out everywhere on their account page', async () => {
  const shop = await openShop()
  const owner = await ownerOf(shop)
  const { page, problems } = await signedIn(shop, '/settings/account')
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await page.getByLabel('Your password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Go on' }).click()
  const secret = (await page.getByRole('dialog').locator('.id .cut').innerText()).trim()
  const drawn = page.getByRole('img', { name: 'Picture of the secret, for an authenticator' })
  await drawn.waitFor()
  equal(new URL(await readQr(page)).searchParams.get('secret'), secret, 'the picture says what is written under it')
  await see(page, 'second-factor')
  deepEqual(await barriers(page), [])
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + shop.clock.ahead })
  await page.getByLabel('Code that it shows').fill(code)
  await page.getByRole('dialog').getByRole('button', { name: 'Turn it on' }).click()
  await page.getByText(/Keep these recovery codes/).waitFor()
  await page.getByText('On: signing in asks for a code').waitFor()
  deepEqual(await barriers(page), [])
  equal((await enter(shop, owner.user.email)).body.next, 'totp')

  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByLabel('Your password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('New password').fill('another horse battery staple')
  await page.getByRole('dialog').getByRole('button', { name: 'Change the password' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  equal((await owner.get('/user')).status, 401, 'the other device is out')
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByLabel('E-mail').waitFor()
  deepEqual(
    problems.filter(problem => !/401/.test(problem)),
    [],
  )
})

test('a colleague’s role is changed, and they are disabled, removed and invited again; the page lists what each role may do', async () => {
  const shop = await openShop()
  const owner = await ownerOf(shop)
  const kari = await join(shop, owner, 'viewer')
  const { page, problems } = await signedIn(shop, '/settings/team')
  await page.getByRole('table', { name: 'Rights' }).getByText('Answer and accept disputes').waitFor()
  await page.getByRole('button', { name: 'Role… Some viewer' }).click()
  await page.getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: 'operator' }).click()
  match(await page.getByTestId('consequence').innerText(), /^Some viewer moves money/)
  await page.getByRole('dialog').getByLabel('Your password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Make operator' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  equal((await kari.get('/user')).body.role, 'operator')
  await page.getByRole('button', { name: 'Disable… Some viewer' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('button', { name: 'Enable… Some viewer' }).waitFor()
  equal((await kari.get('/payments/list')).status, 403)
  const email = someEmail('late')
  equal((await owner.post('/user/invite', { email, role: 'viewer', password: PASSWORD })).status, 200)
  await page.reload()
  await page.getByRole('button', { name: `Send again… ${email}` }).click()
  await page.getByRole('dialog').getByLabel('Your password').fill(PASSWORD)
  await page.getByRole('dialog').getByRole('button', { name: 'Invite as viewer' }).click()
  await page.getByText(`${email} is invited as viewer`).waitFor()
  await page.getByRole('button', { name: `Remove… ${email}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  ok(!(await owner.get('/user/list')).text.includes(email))
  deepEqual(await barriers(page), [])
  deepEqual(problems, [])
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`the team pages pass axe and fit a phone (${colorScheme})`, async () => {
    const { shop } = await openWaiting()
    const { page, problems } = await signedIn(shop, '/approvals', { width: 390, height: 844 }, { colorScheme })
    for (const [path, heading] of [
      ['/approvals', 'Approvals'],
      ['/settings/account', 'Your account'],
      ['/settings/team', 'Team'],
    ] as const) {
      await page.goto(`${shop.url}/dashboard${path}`)
      await page.getByRole('heading', { name: heading, exact: true }).waitFor()
      await page.waitForLoadState('networkidle')
      deepEqual(await barriers(page), [], path)
      equal(await page.evaluate('document.documentElement.scrollWidth'), 390, path)
    }
    deepEqual(problems, [])
  })

test('a colleague invited for one profile sees its payments, but not other profiles or merchant-wide data', async () => {
  const shop = await openShop()
  const [first] = (await shop.call('GET', `/account/${shop.merchant_id}/business_profile`)).body as [Body]
  const second = (await shop.post(`/account/${shop.merchant_id}/business_profile`, { profile_name: 'Garden shop' })).body
  await addAccount(shop, { profile_id: second.profile_id }, `sandbox_${shop.merchant_id}_second`)
  const other = await shop.pay({ profile_id: first.profile_id, amount: 7700, customer_id: 'kari' })
  const own = await shop.pay({ profile_id: second.profile_id, amount: 3300, customer_id: 'kari' })
  const { page, problems } = await signedIn(shop, '/settings/team')
  const email = someEmail('garden')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: 'operator' }).click()
  await page.getByRole('combobox', { name: 'Profiles' }).click()
  await page.getByRole('option', { name: 'Garden shop' }).click()
  match(await page.getByTestId('consequence').innerText(), /Only in Garden shop: nothing of other profiles/)
  await page.getByLabel('Your password').fill(PASSWORD)
  await see(page, 'invite')
  await page.getByRole('button', { name: 'Invite as operator' }).click()
  const link = await page.getByRole('status').locator('.id .cut').innerText()
  match(await page.getByRole('row', { name: email }).innerText(), /operator in Garden shop/)
  deepEqual(await barriers(page), [])
  deepEqual(problems, [])
  const accepted = { token: tokenOf(link.trim()), name: 'Gerd Garden', password: PASSWORD }
  const gerd = entered(shop, await http('POST', `${shop.url}/user/invite/accept`, accepted))

  const asGerd = await visit(shop.url, '/dashboard/payments', { width: 1440, height: 900 })
  await signIn(asGerd, shop, gerd)
  await asGerd.page.getByRole('row', { name: /33\.00/ }).waitFor()
  equal(await asGerd.page.getByText('77.00').count(), 0)
  const pages = asGerd.page.getByRole('navigation', { name: 'Pages of the dashboard' })
  deepEqual([await pages.getByText('Customers').count(), await pages.getByText('Refunds').count()], [0, 1])
  await asGerd.page.goto(`${shop.url}/dashboard/payments/${own.payment_id}`)
  await asGerd.page.getByText('kari', { exact: true }).waitFor()
  equal(await asGerd.page.getByRole('link', { name: 'kari', exact: true }).count(), 0)
  deepEqual(asGerd.problems, [])
  await asGerd.page.goto(`${shop.url}/dashboard/payments/${other.payment_id}`)
  await asGerd.page.getByText('No such payment here.').first().waitFor()

  await page.reload()
  await page.getByRole('button', { name: 'Role… Gerd Garden' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Clear' })
    .or(page.getByRole('dialog').locator('.mantine-InputClearButton-root'))
    .first()
    .click()
  match(await page.getByTestId('consequence').innerText(), /In the whole merchant/)
  await page.getByRole('dialog').getByLabel('Your password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Make operator' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  equal((await gerd.get(`/payments/${other.payment_id}`)).status, 200)
})

test('requests of an untouched tab are marked as such and do not extend the session', async () => {
  const shop = await openShop()
  const owner = await ownerOf(shop)
  const found = await visit(shop.url, '/dashboard/payments', wide, { isLive: true })
  const { page } = found
  const asked: (string | undefined)[] = []
  page.on('request', request => {
    if (new URL(request.url()).pathname === '/payments/list') asked.push(request.headers()['x-by-itself'])
  })
  await page.clock.install()
  const stream = page.waitForResponse('**/events/stream')
  await signIn(found, shop)
  await stream
  await shop.pay({ amount: 1100 })
  await page.clock.runFor(2000)
  await page.getByRole('button', { name: '1 newer' }).waitFor()
  await page.clock.fastForward('06:00')
  await shop.pay({ amount: 2200 })
  await eventually(async () => {
    await page.clock.runFor(2000)
    return asked.at(-1) === 'true'
  }, 'the list is read by itself')
  deepEqual(asked.slice(0, 2), [undefined, undefined])
  equal((await owner.post('/user/sign_out', { all: true })).status, 200)
})

test('an expired session asks to sign in on any page, and returns to that page', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  equal((await shop.post('/customers', { customer_id: 'ada', name: 'Ada Byron' })).status, 200)
  const found = await signedIn(shop, '/payments')
  const { page } = found
  const paths = [
    `/payments/${payment_id}`,
    '/customers/ada',
    '/approvals',
    '/analytics',
    '/ledger',
    '/settings/team',
    '/settings/blocklist',
  ]
  for (const path of paths) {
    equal((await (await newlyIn(shop)).post('/user/sign_out', { all: true })).status, 200)
    await page.evaluate(`history.pushState({}, '', '/dashboard${path}'); dispatchEvent(new PopStateEvent('popstate'))`)
    await page.getByText('Your session is over.').waitFor()
    await signIn(found, shop)
    await page.getByRole('heading', { level: 1 }).waitFor()
    equal(new URL(page.url()).pathname, `/dashboard${path}`)
  }
})
