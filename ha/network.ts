import { execFileSync } from 'node:child_process'

/**
 * A network for the nodes on one machine: each node in its own namespace, on one bridge with this machine. A node that
 * is cut off loses its cable: its packets are lost, and nothing informs the others.
 */

const BRIDGE = 'swyardbr'
const nameOf = (i: number): string => `swyard${i}`
/** The address of this machine, as the nodes see it. */
export const HERE = '10.77.0.1'
export const addressOf = (i: number): string => `10.77.0.${10 + i}`

const ip = (...args: string[]): void => void execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
const tried = (...args: string[]): void => {
  try {
    ip(...args)
  } catch {
    // The link does not exist.
  }
}

export function openNetwork(nodes: readonly number[]) {
  const close = () => {
    for (const i of nodes) {
      tried('link', 'del', `${nameOf(i)}h`)
      tried('netns', 'del', nameOf(i))
    }
    tried('link', 'del', BRIDGE)
  }
  close()
  ip('link', 'add', BRIDGE, 'type', 'bridge')
  ip('addr', 'add', `${HERE}/24`, 'dev', BRIDGE)
  ip('link', 'set', BRIDGE, 'up')
  for (const i of nodes) {
    const name = nameOf(i)
    ip('netns', 'add', name)
    ip('link', 'add', `${name}h`, 'type', 'veth', 'peer', 'name', `${name}n`)
    ip('link', 'set', `${name}n`, 'netns', name)
    ip('link', 'set', `${name}h`, 'master', BRIDGE)
    ip('link', 'set', `${name}h`, 'up')
    for (const args of [
      ['link', 'set', 'lo', 'up'],
      ['addr', 'add', `${addressOf(i)}/24`, 'dev', `${name}n`],
      ['link', 'set', `${name}n`, 'up'],
    ])
      ip('-n', name, ...args)
  }
  return {
    /** Returns the words that precede a command that runs in a node's network. */
    inside: (i: number): string[] => ['ip', 'netns', 'exec', nameOf(i)],
    cut: (i: number): void => ip('link', 'set', `${nameOf(i)}h`, 'down'),
    mend: (i: number): void => ip('link', 'set', `${nameOf(i)}h`, 'up'),
    close,
  }
}
