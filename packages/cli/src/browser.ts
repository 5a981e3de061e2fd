import { spawn } from 'node:child_process'

const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', win32: 'explorer' }

/** Opens a page in the user's browser, if there is one. Refuses addresses other than http and https. */
export function openBrowser(address: string): void {
  if (!/^https?:\/\//.test(address)) return
  spawn(openers[process.platform] ?? 'xdg-open', [address], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
