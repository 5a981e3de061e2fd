import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { join, PASSWORD } from '../people.ts'
import { type Body, http, openShop, type Shop } from '../shop.ts'
import { builtFirst, ownerOf, signedIn, signIn, wide } from './dashboard.ts'
import { barriers, isNotWider, see } from './look.ts'
import { phone, visit } from './visit.ts'

// The page at which a user approves a command line that asks to be signed in.

builtFirst()

/** Opens the sign-in of a command line; `poll` gives the answer to its request for a token after 6 seconds. */
async function openCommandLine(shop: Shop) {
  const { body } = await http('POST', `${shop.url}/user/device`, { device_name: 'ada-laptop' })
  return {
    code: body.user_code as string,
    async poll(): Promise<Body> {
      await shop.wait('6 seconds')
      return (await http('POST', `${shop.url}/user/device/token`, { device_code: body.device_code })).body
    },
  }
}

test('a signed-out user signs in, sees which device asks for which rights, and approves it', async () => {
  const shop = await openShop()
  await ownerOf(shop)
  const { code, poll } = await openCommandLine(shop)
  const { page, problems } = await signedIn(shop, `/device?code=${code}`)
  await page.getByRole('heading', { name: 'Sign-in request of a command line' }).waitFor()
  equal(await page.getByTestId('code').innerText(), code)
  const panel = page.getByRole('region', { name: 'Sign-in request of a command line' })
  const text = await panel.innerText()
  match(text, /ada-laptop/)
  match(text, new RegExp(shop.merchant_id))
  match(text, /127\.0\.0\.1/)
  match(text, /can move money/)
  deepEqual(await barriers(page), [])
  await see(page, 'device-asks')
  equal((await poll()).status, 'authorization_pending', 'to look approves nothing')
  await panel.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByRole('alert').getByText('password').first().waitFor()
  await page.getByLabel('Your password').fill(PASSWORD)
  await panel.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByRole('status').getByText('The command line is signed in.').waitFor()
  const { status, key } = await poll()
  deepEqual([status, key.name], ['approved', 'CLI on ada-laptop'])
  await page.goto(`${shop.url}/dashboard/developers/keys`)
  await page.getByRole('button', { name: 'Revoke CLI on ada-laptop' }).click()
  await page.getByRole('button', { name: 'Revoke the key' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  equal((await http('GET', `${shop.url}/payments/list`, undefined, { 'api-key': key.api_key })).status, 401)
  deepEqual(
    problems.filter(problem => !problem.includes('400')),
    [],
  )
})

test('a user can type a code; a wrong code shows an error, and a right one can be denied', async () => {
  const shop = await openShop()
  const { code, poll } = await openCommandLine(shop)
  const { page, problems } = await signedIn(shop, '/device', phone)
  const go = page.getByRole('button', { name: 'Go on' })
  equal(await go.isDisabled(), true)
  await page.getByRole('textbox', { name: 'Code' }).fill('zzzz 9999')
  await go.click()
  await page.getByRole('alert').getByText('Nothing waits under ZZZZ-9999.').waitFor()
  await see(page, 'device-none')
  await isNotWider(page, phone.width)
  deepEqual(await barriers(page), [])
  await page.getByRole('textbox', { name: 'Code' }).fill(code.toLowerCase())
  await go.click()
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByText('The command line was denied.').waitFor()
  equal((await poll()).status, 'access_denied')
  deepEqual(
    problems.filter(problem => !problem.includes('404')),
    [],
  )
})

test('a user whose role may not create keys is told so and can only deny a device', async () => {
  const shop = await openShop()
  const operator = await join(shop, await ownerOf(shop), 'operator')
  const { code, poll } = await openCommandLine(shop)
  const found = await visit(shop.url, `/dashboard/device?code=${code}`, wide)
  await signIn(found, shop, operator)
  const { page, problems } = found
  await page.getByRole('alert').getByText('Your role, operator, cannot make keys').waitFor()
  await see(page, 'device-operator')
  equal(await page.getByRole('button', { name: /Approve/ }).count(), 0)
  deepEqual(await barriers(page), [])
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByText('The command line was denied.').waitFor()
  equal((await poll()).status, 'access_denied')
  deepEqual(problems, [])
})
