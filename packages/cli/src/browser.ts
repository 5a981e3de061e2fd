import { spawn } from 'node:child_process'

const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer' }

/** Opens a page in the person's browser, where there is one. An address of another kind than a page's opens nothing. */
export function openBrowser(address: string): void {
  if (!/^https?:\/\//.test(address)) return
  spawn(openers[process.platform] ?? 'xdg-open', [address], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
