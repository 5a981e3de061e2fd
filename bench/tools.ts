// Programs that the bench uses and that must be installed.
import { spawn } from 'node:child_process'
import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Returns the first program of this name on the PATH, or in Debian's folders of PostgreSQL (the newest first); null if
 * there is none.
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
      // The program is not in this folder.
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
 * Starts a program and collects its output, errors included. Rejects with the output if the program fails. `onOutput`
 * receives every piece as it comes.
 */
export function call(file: string, args: string[], onOutput: (piece: string) => void = () => {}): Call {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      onOutput(piece)
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
