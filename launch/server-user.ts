// As whom PostgreSQL runs. The server refuses uid 0, so a launcher that is root has to find another way, and each of
// them is closed somewhere: containers forbid user namespaces, and `nobody` reaches neither programs nor data of a
// project below /root (0700). Each way is tried for real (can it load the libraries, can it write into the data
// folder?) instead of guessed from modes.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, lchownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diesWithParent } from './death-signal.mjs'

/**
 * A number without an account fails ("could not look up effective user ID"); the user `nobody` exists everywhere under
 * this number.
 */
const nobody = 65534

export type Way = {
  name: string
  /** What stands before the program's name; it ends in an exec, so the pid of the child is PostgreSQL's own. */
  prefix: string[]
  /** Node's own switching of the user, where setpriv is missing. */
  uid?: number
  /** Who owns the data, seen from here. */
  owner: number
  native: string
  /** What this way made for itself and is not needed afterwards. */
  forget(): void
}

/** Picks the way and gives `dirs` (below `dataDir`) to the server's user. */
export function chooseWay(native: string, dataDir: string, dirs: string[]): Way {
  const ways = process.getuid?.() === 0 ? waysOfRoot(native) : [plain(native)]
  const said: string[] = []
  for (const offer of ways) {
    const way = offer()
    for (const dir of dirs) {
      mkdirSync(dir, { recursive: true, mode: 0o700 })
      give(dir, way.owner)
    }
    if (process.getuid?.() === 0) chmodSync(dataDir, way.owner === 0 ? 0o700 : 0o711)
    const refusal = tryOut(way, dirs)
    if (refusal === null) return way
    said.push(`  ${way.name}: ${refusal}`)
    way.forget()
  }
  throw new Error(
    `PostgreSQL's programs cannot be run here${ways.length > 1 ? ' (the server refuses to run as root, and no other user is available)' : ''}:\n` +
      `${said.join('\n')}\nStart as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.`,
  )
}

function plain(native: string): () => Way {
  return () => ({ name: 'as this user', prefix: diesWithParent('INT'), owner: process.getuid?.() ?? 0, native, forget() {} })
}

/**
 * In this order: a user namespace leaves every file with root, where no other account reaches it. `nobody` is shared
 * by other daemons, so it comes second; if the way to programs or data is barred to it, it keeps the one capability
 * that opens doors; last, the programs move.
 */
function waysOfRoot(native: string): (() => Way)[] {
  const inNamespace = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`, '--']
  const asNobody = (extra: string[]): Pick<Way, 'prefix' | 'owner' | 'uid'> =>
    diesWithParent('INT').length > 0
      ? {
          prefix: ['setpriv', '--reuid', `${nobody}`, '--regid', `${nobody}`, '--clear-groups', ...extra, '--pdeathsig', 'INT', '--'],
          owner: nobody,
        }
      : { prefix: [], owner: nobody, uid: nobody }
  // The secure bit keeps access(2), by which PostgreSQL looks at its own program, from leaving the capability out of
  // account.
  const open = ['--inh-caps', '+dac_override', '--ambient-caps', '+dac_override', '--securebits', '+no_setuid_fixup']
  return [
    () => ({ name: 'in a user namespace', prefix: [...inNamespace, ...diesWithParent('INT')], owner: 0, native, forget() {} }),
    () => ({ name: 'as nobody', ...asNobody([]), native, forget() {} }),
    () => ({ name: 'as nobody who may pass closed folders', ...asNobody(open), native, forget() {} }),
    () => {
      const copy = mkdtempSync(join(tmpdir(), 'switchyard-pg-'))
      cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
      chmodSync(copy, 0o755)
      return {
        name: 'as nobody, from a copy',
        ...asNobody([]),
        native: copy,
        forget: () => rmSync(copy, { recursive: true, force: true }),
      }
    },
  ]
}

/** Null when it works, else the reason in the system's words. */
function tryOut(way: Way, dirs: string[]): string | null {
  const script = 'test -x "$0" && "$0" --version >/dev/null && for dir in "$@"; do cd "$dir" && test -w . || exit 1; done'
  const call = command(way, 'sh', ['-c', script, join(way.native, 'bin', 'postgres'), ...dirs])
  const done = spawnSync(call.command, call.args, { encoding: 'utf8', ...call.options, stdio: ['ignore', 'ignore', 'pipe'] })
  if (done.status === 0) return null
  return done.error?.message ?? (done.stderr.trim().split('\n').at(-1) || 'no access')
}

/**
 * How to spawn a program this way. PostgreSQL gets an environment of its own: PGPORT, PGOPTIONS and their like stay
 * outside.
 */
export function command(way: Way, program: string, args: string[]) {
  const [first, ...rest] = [...way.prefix, program, ...args]
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
  return {
    command: first!,
    args: rest,
    options: { env, cwd: '/', ...(way.uid === undefined ? {} : { uid: way.uid, gid: way.uid }) },
  }
}

/** Hands a folder over with all that is in it: an earlier start may have gone another way. */
export function give(path: string, owner: number): void {
  if (process.getuid?.() !== 0 || statSync(path).uid === owner) return
  for (const entry of readdirSync(path, { recursive: true, encoding: 'utf8' })) lchownSync(join(path, entry), owner, owner)
  chownSync(path, owner, owner) // last, so that a hand-over cut short is begun again
}
