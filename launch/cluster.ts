// Creates a new database cluster. The folder is created under another name and renamed when it is complete, so that a
// folder called `cluster` is always complete.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { command, give, type Way } from './server-user.ts'

export const superuser = 'switchyard'

/**
 * The settings for a small machine. They are written into postgresql.conf, where the operator may change them.
 * Durability settings keep PostgreSQL's defaults.
 */
const defaults = {
  shared_buffers: '128MB',
  max_connections: '100',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_duration_statement: '1s',
  log_parameter_max_length: '0', // parameters are customers' data
  log_checkpoints: 'off',
}

export function draftName(cluster: string): string {
  return `${cluster}.making-${randomBytes(6).toString('hex')}`
}

export async function makeCluster(way: Way, cluster: string, durable: boolean): Promise<void> {
  const parent = dirname(cluster)
  for (const name of readdirSync(parent)) {
    if (name.startsWith(`${basename(cluster)}.making-`)) rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 5 })
  }
  const draft = draftName(cluster)
  mkdirSync(draft, { mode: 0o700 })
  give(draft, way.owner)
  try {
    const sets = Object.entries(defaults).flatMap(([name, value]) => ['--set', `${name}=${value}`])
    await initdb(way, [
      '-D',
      draft,
      '-U',
      superuser,
      '-E',
      'UTF8',
      '--locale=C',
      '--auth=trust',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
      ...sets,
    ])
    renameSync(draft, cluster)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true, maxRetries: 5 })
    throw error
  }
  const fd = openSync(parent, 'r')
  if (durable) fsyncSync(fd) // the rename itself
  closeSync(fd)
}

function initdb(way: Way, args: string[]): Promise<void> {
  const call = command(way, join(way.native, 'bin', 'initdb'), args)
  const child = spawn(call.command, call.args, { ...call.options, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (output += chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0) resolve()
      else reject(new Error(`initdb ended with ${signal ?? code}; it said:\n${output.trim().split('\n').slice(-10).join('\n')}`))
    })
  })
}
