import { after } from 'node:test'
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core'
import { chromiumPath } from './chromium.ts'

export const desktop = { width: 1400, height: 1000 }
export const phone = { width: 390, height: 844 }

/**
 * A page, and what went wrong on it: errors, warnings, refusals of its policy, and every address outside `home` that
 * it asked for. `went`: where it would have taken the customer, who stays (it is the shop's
 * page, and there is none).
 */
export type Visit = { page: Page; problems: string[]; went: string[] }

/** A machine may be busy with other things. */
const PATIENCE_MS = 120_000

let launched: Promise<Browser> | undefined
after(async () => (await launched)?.close())

/** A name that leads to this machine: for pages that must have a domain. */
export const DOMAIN = 'pay.chairs.example'

/** No other name but this machine's can be resolved: what a test overlooks leads nowhere. */
const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      `--host-resolver-rules=MAP ${DOMAIN} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
    ],
  })

/**
 * What a customer prefers, whom besides us a page may ask, and what their browser has that Chromium has not (a script
 * that is there before the page's). `serves`: scripts of others, by their address. `isLive`: the dashboard hears of
 * events as they happen; for other tests it stands still, and its network comes to rest.
 */
type Customer = Pick<BrowserContextOptions, 'colorScheme' | 'locale' | 'hasTouch' | 'reducedMotion'> & {
  mayAsk?: readonly string[]
  has?: string
  serves?: Readonly<Record<string, string>>
  isLive?: boolean
}

/** Opens an address in a browser of its own. */
export async function visit(
  home: string,
  path: string,
  viewport: { width: number; height: number },
  { mayAsk = [], has, serves = {}, isLive = false, ...prefers }: Customer = {},
): Promise<Visit> {
  launched ??= launch()
  const context = await (await launched).newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...prefers })
  context.setDefaultTimeout(PATIENCE_MS)
  if (has !== undefined) await context.addInitScript(has)
  const page = await context.newPage()
  const problems: string[] = []
  const went: string[] = []
  const isStrange = (address: string) =>
    ![home, ...mayAsk].some(one => address.startsWith(`${one}/`)) && !/^(data|blob|about):/.test(address)
  const asked = (address: string) => void (isStrange(address) && problems.push(`asked for ${address}`))
  const leaves = (request: Request) => request.isNavigationRequest() && request.frame() === page.mainFrame()
  await page.route(
    url => isStrange(url.href),
    route => (leaves(route.request()) ? route.abort('aborted') : route.continue()),
  )
  for (const [address, body] of Object.entries(serves))
    await page.route(address, route => route.fulfill({ contentType: 'text/javascript', body }))
  if (!isLive) await page.route('**/events/stream', route => route.fulfill({ status: 204 }))
  page.on('request', request => (leaves(request) && isStrange(request.url()) ? went.push(request.url()) : asked(request.url())))
  page.on('websocket', socket => asked(socket.url()))
  page.on('console', message => ['error', 'warning'].includes(message.type()) && problems.push(message.text()))
  page.on('pageerror', error => problems.push(String(error)))
  await page.setViewportSize(viewport)
  await page.goto(home + path)
  return { page, problems, went }
}
