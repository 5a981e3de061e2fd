// The kernel can tell a child of its parent's death: quicker than any pipe, and it needs no cooperation of the child.
// setpriv arranges it.
import { spawnSync } from 'node:child_process'

let knows

/**
 * What to put before a command so that it gets this signal when we die; nothing where setpriv is missing or (busybox)
 * knows less.
 */
export function diesWithParent(signal) {
  knows ??= spawnSync('setpriv', ['--pdeathsig', 'KILL', '--', 'true'], { stdio: 'ignore' }).status === 0
  return knows ? ['setpriv', '--pdeathsig', signal, '--'] : []
}
