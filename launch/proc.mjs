// What Linux knows about a process. A pid alone names no process: it is given to another program later, and a zombie
// keeps it without living. A pid with its start time (in ticks since boot) and the id of this boot is a name for good.
import { readFileSync } from 'node:fs'

/**
 * The process as /proc shows it, or null when it is gone. A zombie counts as gone: it holds no file and serves no
 * request.
 */
export function look(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The command stands in parentheses and may itself hold any character, ")" too: what follows the last one is safe
    // to split.
    const rest = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (rest[0] === 'Z' || rest[0] === 'X') return null
    return { pid, command: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')), parent: Number(rest[1]), begun: rest[19] }
  } catch {
    return null
  }
}

/**
 * The command line, or '' when there is no such process. A program that renames itself (npm, a PostgreSQL backend)
 * shows its new name.
 */
export function commandLine(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim()
  } catch {
    return ''
  }
}

export function bootId() {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return ''
  }
}

export function isSame(name) {
  return name.boot === bootId() && look(name.pid)?.begun === name.begun
}

export function nameOf(pid) {
  return { pid, begun: look(pid)?.begun ?? '', boot: bootId() }
}
