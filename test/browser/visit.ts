import { after } from 'node:test'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { chromiumPath } from './chromium.ts'

export const desktop = { width: 1400, height: 1000 }
export const phone = { width: 390, height: 844 }

/** A page, and what went wrong on it: errors, warnings, refusals of its policy, and every address outside `home` that it asked for. */
export type Visit = { page: Page; problems: string[] }

/** A machine may be busy with other things. */
const PATIENCE_MS = 120_000

let opened: Promise<BrowserContext> | undefined
after(async () => (await opened)?.browser()?.close())

/** No name but this machine's can be resolved: what a test overlooks leads nowhere. */
async function open(): Promise<BrowserContext> {
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  })
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  context.setDefaultTimeout(PATIENCE_MS)
  return context
}

/** Opens an address in a new tab. */
export async function visit(home: string, path: string, viewport: { width: number; height: number }): Promise<Visit> {
  opened ??= open()
  const page = await (await opened).newPage()
  const problems: string[] = []
  const asked = (address: string) => {
    if (!address.startsWith(`${home}/`) && !/^(data|blob):/.test(address)) problems.push(`asked for ${address}`)
  }
  page.on('request', request => asked(request.url()))
  page.on('websocket', socket => asked(socket.url()))
  page.on('console', message => ['error', 'warning'].includes(message.type()) && problems.push(message.text()))
  page.on('pageerror', error => problems.push(String(error)))
  await page.setViewportSize(viewport)
  await page.goto(home + path)
  return { page, problems }
}
