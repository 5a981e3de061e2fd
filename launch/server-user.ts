// Chooses the operating system user that runs PostgreSQL. The server refuses uid 0, so a launcher that is root needs
// another way, and each way is closed on some machines: containers forbid user namespaces, and `nobody` cannot reach
// the programs and data of a project below /root (0700). Each way is tried for real (can the server load its libraries
// and write into the data folder?) instead of derived from file modes.
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, lchownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diesWithParent } from './death-signal.mjs'

/**
 * The uid of the user `nobody`, which exists everywhere. A number without an account would fail ("could not look up
 * effective user ID").
 */
const nobody = 65534

export type Way = {
  name: string
  /** The command before the program's name. It ends in an exec, so that the pid of the child is PostgreSQL's own. */
  prefix: string[]
  /** The uid that Node itself switches to, where setpriv is missing. */
  uid?: number
  /** The owner of the data folders, as this process sees it. */
  owner: number
  native: string
  forget(): void
}

/** Chooses the way and gives `dirs` (below `dataDir`) to the server's user. */
export function chooseWay(native: string, dataDir: string, dirs: string[]): Way {
  const ways = process.getuid?.() === 0 ? waysOfRoot(native) : [plain(native)]
  const refusals: string[] = []
  for (const offer of ways) {
    const way = offer()
    for (const dir of dirs) {
      mkdirSync(dir, { recursive: true, mode: 0o700 })
      give(dir, way.owner)
    }
    if (process.getuid?.() === 0) chmodSync(dataDir, way.owner === 0 ? 0o700 : 0o711)
    const refusal = tryOut(way, dirs)
    if (refusal === null) return way
    refusals.push(`  ${way.name}: ${refusal}`)
    way.forget()
  }
  throw new Error(
    `PostgreSQL's programs cannot be run here${ways.length > 1 ? ' (the server refuses to run as root, and no other user is available)' : ''}:\n` +
      `${refusals.join('\n')}\nStart as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.`,
  )
}

function plain(native: string): () => Way {
  return () => ({ name: 'as this user', prefix: diesWithParent('INT'), owner: process.getuid?.() ?? 0, native, forget() {} })
}

/**
 * Returns the ways for root, in order of preference. A user namespace leaves every file with root, where no other
 * account reaches the file. The account `nobody` is shared with other daemons, so it comes second. If `nobody` cannot
 * reach the programs or the data, it keeps the one capability that passes closed folders. The last way copies the
 * programs.
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
  // PostgreSQL checks its own program with access(2). The secure bit makes access(2) take the capability into account.
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

/** Returns null if the way works, else the reason in the system's words. */
function tryOut(way: Way, dirs: string[]): string | null {
  const script = 'test -x "$0" && "$0" --version >/dev/null && for dir in "$@"; do cd "$dir" && test -w . || exit 1; done'
  const call = command(way, 'sh', ['-c', script, join(way.native, 'bin', 'postgres'), ...dirs])
  const done = spawnSync(call.command, call.args, { encoding: 'utf8', ...call.options, stdio: ['ignore', 'ignore', 'pipe'] })
  if (done.status === 0) return null
  return done.error?.message ?? (done.stderr.trim().split('\n').at(-1) || 'no access')
}

/**
 * Returns how to spawn a program in this way. PostgreSQL gets an environment of its own, without PGPORT, PGOPTIONS and
 * the like.
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

/** Gives a folder and its contents to an owner: an earlier start may have used another way. */
export function give(path: string, owner: number): void {
  if (process.getuid?.() !== 0 || statSync(path).uid === owner) return
  for (const entry of readdirSync(path, { recursive: true, encoding: 'utf8' })) lchownSync(join(path, entry), owner, owner)
  chownSync(path, owner, owner) // last, so that an interrupted change of owner is repeated
}
