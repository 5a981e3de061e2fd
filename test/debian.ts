import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * Installs a Debian package if the file `path` that it provides is missing, and if this process may install packages
 * (as root); otherwise throws an error that names the package. Nothing is downloaded from anywhere else. `own`: the
 * environment variable that names an installation of the user's own.
 */
export function needDebian(path: string, name: string, own: string): void {
  if (existsSync(path)) return
  const message = `These tests need ${path}: apt-get install ${name}, or set ${own} to where yours is`
  if (process.env[own] || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) throw new Error(message)
  process.stdout.write(`installing ${name} (Debian package)\n`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) => execFileSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env })
  apt('update')
  apt('install', '-y', '--no-install-recommends', name)
  if (!existsSync(path)) throw new Error(message)
}
