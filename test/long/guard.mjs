// Keeps watch beside a storm: when the storm is gone, however it died, so is everything that it started, stopped
// processes too (no other signal reaches those). Its stdin is a pipe from the storm; its arguments are the words by
// which what it started is known, and the folder it worked in.
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'

const [mark, folder] = process.argv.slice(2)

/**
 * Who was started by this storm: the mark is in the environment, or (PostgreSQL has another) the working directory is
 * in the folder.
 */
export function strays(mark, folder) {
  const read = (pid, what) => {
    try {
      return what === 'cwd' ? readlinkSync(`/proc/${pid}/cwd`) : readFileSync(`/proc/${pid}/environ`, 'latin1')
    } catch {
      return ''
    }
  }
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(pid => read(pid, 'environ').includes(mark) || read(pid, 'cwd').startsWith(folder))
    .map(Number)
}

if (import.meta.main) {
  process.stdin.resume().on('close', () => {
    for (let round = 0; round < 20; round++) {
      for (const pid of strays(mark, folder)) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // It went by itself.
        }
      }
    }
    rmSync(folder, { recursive: true, force: true })
  })
}
