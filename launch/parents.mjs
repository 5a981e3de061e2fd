// `npm start` is npm, a shell and we. Kill one of the upper two with -9 and no signal tells us: so we look, twice a
// second. Only what belongs to `npm run` is watched, never the shell of the person who typed it: `nohup npm start &`
// outlives that one.
import { readFileSync, readlinkSync } from 'node:fs'
import { commandLine, isSame, look, nameOf } from './proc.mjs'

/** The names of the shell and the npm above us, as far as they are there. */
export function npmChain(env = process.env, self = process.pid) {
  if (env.npm_lifecycle_event === undefined) return []
  const parent = look(self)?.parent ?? 0
  if (isNpm(parent, env)) return [nameOf(parent)] // the shell replaced itself with us
  if (!isNpmShell(parent, env)) return []
  const above = look(parent)?.parent ?? 0
  return [parent, ...(isNpm(above, env) ? [above] : [])].map(nameOf)
}

/** The shell that was given the script of package.json. */
function isNpmShell(pid, env) {
  const script = env.npm_lifecycle_script
  return Boolean(script) && /(^|\/)\S*sh -c /.test(commandLine(pid)) && commandLine(pid).includes(script.trim())
}

/** npm calls itself "npm start"; before it does, its command line names its script. */
function isNpm(pid, env) {
  const line = commandLine(pid)
  return /^npm( |$)/.test(line) || /\/npm(-cli\.js)?( |$)/.test(line) || (env.npm_execpath !== undefined && line.includes(env.npm_execpath))
}

/**
 * Calls `gone` once when one of them is there no more, seen twice: a hang-up ends them at the moment when it reaches
 * us, and our own handler, which may end this watch, can have its turn after the first look.
 */
export function watch(names, gone) {
  if (names.length === 0) return () => {}
  let missed = false
  const timer = setInterval(() => {
    if (names.every(isSame)) return
    if (missed) {
      clearInterval(timer)
      gone()
    }
    missed = true
  }, 500)
  timer.unref()
  return () => clearInterval(timer)
}

/**
 * Whether nohup stands above us: it makes the terminal's stdin a /dev/null that can only be written. Its real mark,
 * "SIGHUP is ignored", does not reach us: every Node puts that back to the default, npm's Node too, which is why a
 * hang-up kills npm even under nohup.
 */
export function underNohup() {
  try {
    const flags = /^flags:\s*(\d+)/m.exec(readFileSync('/proc/self/fdinfo/0', 'latin1'))?.[1]
    return readlinkSync('/proc/self/fd/0') === '/dev/null' && (Number.parseInt(flags ?? '0', 8) & 3) === 1
  } catch {
    return false
  }
}
