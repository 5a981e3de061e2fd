import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core'
import { closeAfterFile, closeAfterProcess } from '../endings.ts'
import { chromiumPath } from './chromium.ts'

export const desktop = { width: 1400, height: 1000 }
export const phone = { width: 390, height: 844 }

/**
 * A page, and the problems on it: errors, warnings, violations of its policy, and every request to an address outside
 * `home`. `went`: the addresses to which the page would have taken the customer, who stays (they are the shop's pages,
 * and the shop does not exist).
 */
export type Visit = { page: Page; problems: string[]; went: string[] }

/** The timeout of a page in milliseconds, long because the machine may be busy. */
const PATIENCE_MS = 120_000

let launched: Promise<Browser> | undefined
closeAfterProcess(async () => (await launched)?.close())

/** A host name that resolves to this machine, for pages that must have a domain. */
export const DOMAIN = 'pay.chairs.example'

/** Starts Chromium so that only this machine's names resolve: a forgotten address leads nowhere. */
const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // As Chromium with a window renders text here.
      '--font-render-hinting=slight',
      '--disable-background-networking',
      `--host-resolver-rules=MAP ${DOMAIN} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
    ],
  })

/**
 * The customer's preferences (`prefers`), the other servers that a page may call (`mayAsk`), and features that
 * Chromium lacks (`has`: a script that runs before the page's). `serves`: third-party scripts, by their address.
 * `isLive`: whether the dashboard receives events as they happen; in other tests it does not, so that its network
 * becomes idle.
 */
type Customer = Pick<
  BrowserContextOptions,
  'colorScheme' | 'locale' | 'timezoneId' | 'hasTouch' | 'reducedMotion' | 'javaScriptEnabled'
> & {
  mayAsk?: readonly string[]
  has?: string
  serves?: Readonly<Record<string, string>>
  isLive?: boolean
}

/** Opens an address in a browser context of its own. */
export async function visit(
  home: string,
  path: string,
  viewport: { width: number; height: number },
  { mayAsk = [], has, serves = {}, isLive = false, ...prefers }: Customer = {},
): Promise<Visit> {
  launched ??= launch()
  const context = await (await launched).newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...prefers })
  closeAfterFile(() => context.close())
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
