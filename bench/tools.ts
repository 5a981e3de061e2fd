// Programs that the bench uses and does not bring along.
import { spawn } from 'node:child_process'
import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * The first program of this name on the PATH, or in Debian's folders of PostgreSQL (newest first); null if there is
 * none.
 */
export function findTool(name: string): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const debian = '/usr/lib/postgresql'
  for (const folder of [...folders, ...versions(debian).map(version => join(debian, version, 'bin'))]) {
    const file = join(folder, name)
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // not here
    }
  }
  return null
}

function versions(folder: string): string[] {
  try {
    return readdirSync(folder).sort((a, b) => Number(b) - Number(a))
  } catch {
    return []
  }
}

export type Call = { pid: number; text: Promise<string> }

/**
 * Starts a program and gathers what it says, errors included; rejects with its words if it fails. `hear` gets every
 * piece as it comes.
 */
export function call(file: string, args: string[], hear: (piece: string) => void = () => {}): Call {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      hear(piece)
    })
  }
  return {
    pid: child.pid ?? 0,
    text: new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => {
        if (code === 0) resolve(text)
        else reject(new Error(`${file} ended with ${signal ?? code}: ${text.trim().slice(-800)}`))
      })
    }),
  }
}
