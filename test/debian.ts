import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * Installs a package of the distribution if what it brings is missing and we may; says what to install if not.
 * Nothing is downloaded from anywhere else. `own`: the variable that names one's own.
 */
export function needDebian(path: string, name: string, own: string): void {
  if (existsSync(path)) return
  const words = `These tests need ${path}: apt-get install ${name}, or set ${own} to where yours is`
  if (process.env[own] || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new Error(words)
  process.stdout.write(`installing ${name} (Debian package)\n`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) => execFileSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env })
  apt('update')
  apt('install', '-y', '--no-install-recommends', name)
  if (!existsSync(path)) throw new Error(words)
}
