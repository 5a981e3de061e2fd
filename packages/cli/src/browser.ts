import { spawn } from 'node:child_process'

const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer' }

/** Opens a page in the person's browser, where there is one. Only an address of a page (http, https) is opened. */
export function openBrowser(address: string): void {
  if (!/^https?:\/\//.test(address)) return
  spawn(openers[process.platform] ?? 'xdg-open', [address], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
