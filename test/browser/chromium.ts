import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Debian's own browser: nothing is downloaded but from the distribution. */
export const chromiumPath = process.env.CHROMIUM || '/usr/bin/chromium'

/** Installs it if it is missing and we may; says what to install if not. */
export function needChromium(): void {
  if (existsSync(chromiumPath)) return
  const words = `The browser tests need Chromium at ${chromiumPath}: apt-get install chromium, or set CHROMIUM to where yours is`
  if (process.env.CHROMIUM || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new Error(words)
  process.stdout.write('installing chromium (Debian package)\n')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) => execFileSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env })
  apt('update')
  apt('install', '-y', '--no-install-recommends', 'chromium')
  if (!existsSync(chromiumPath)) throw new Error(words)
}
