// The environment variables of `npm start`: a few are the launcher's own, the others are the service's and only passed
// on.
import { refuseUnknown, type Setting, type SettingKind, settingKinds } from '../src/base/setting.ts'
import { type Config, settings as ofService, readConfig } from '../src/config.ts'

type OwnSetting = Setting & { is?: SettingKind<string> }

const own: OwnSetting[] = [
  { name: 'SWITCHYARD_DATA', default: 'data', description: 'folder for the database, keys, logs and the sandbox’s ledger' },
  { name: 'DATABASE_URL', default: 'own PostgreSQL', description: 'your own PostgreSQL; none is started then' },
  {
    name: 'SANDBOX',
    default: 'on',
    is: settingKinds.oneOf('on', 'off'),
    description: 'off: do not start the sandbox processor (live mode never starts it)',
  },
  { name: 'SANDBOX_PORT', default: '8081 or the next free port', description: 'port of the sandbox processor' },
  { name: 'SANDBOX_HOST', default: '127.0.0.1', description: 'address of the sandbox processor' },
  { name: 'SANDBOX_LEDGER', default: 'sandbox.ledger in SWITCHYARD_DATA', description: 'ledger file of the sandbox processor' },
  {
    name: 'LOG',
    default: 'file',
    is: settingKinds.oneOf('file', 'stdout'),
    description: 'stdout: print the service’s JSON log to stdout instead of service.log',
  },
  { name: 'SWITCHYARD_NODE', default: null, description: 'Node 24 executable to use if the packaged one is not installed' },
]

const owned = new Set(own.map(setting => setting.name))
/** The settings for `--help`: the launcher's own, and those of the service that the launcher does not set itself. */
export const groups = { own, ofService: ofService.filter(({ name }) => !owned.has(name) && name !== 'DIES_WITH_STDIN') }

export type Environment = Record<string, string | undefined>

export type Wanted = {
  mode: Config['mode']
  /** The configured admin API key; null in test mode if it is not set, where `npm start` makes one. */
  adminKey: string | null
  sandbox: boolean
  logToStdout: boolean
}

/**
 * Reads all settings before anything is started, the service's with the service's own reader, so that a mistake is
 * reported at once and only by its own reader. Settings that only a start can provide (a database, in test mode the
 * keys) have placeholders.
 */
export function readSettings(env: Environment): Wanted {
  refuseUnknown(env, [...own, ...ofService])
  for (const { name, is } of own) if (env[name]) is?.(env[name], name)
  const adminKeyGiven = Boolean(env.ADMIN_API_KEY || env.ADMIN_API_KEY_FILE)
  const live = env.MODE === 'live'
  const config = readConfig({
    ...env,
    DATABASE_URL: env.DATABASE_URL || 'postgresql://our.own',
    ADMIN_API_KEY: env.ADMIN_API_KEY || (adminKeyGiven || live ? undefined : 'created when needed'),
    KEY_FILE: env.KEY_FILE || (live ? undefined : 'created when needed'),
  })
  return {
    mode: config.mode,
    adminKey: adminKeyGiven ? config.adminKey : null,
    sandbox: config.mode === 'test' && env.SANDBOX !== 'off',
    logToStdout: env.LOG === 'stdout',
  }
}
