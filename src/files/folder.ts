import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Files } from '../world.ts'

/** The parts of a name are folders; none of them can lead anywhere else. */
const pathIn = (folder: string, name: string): string =>
  join(folder, ...name.split('/').map(part => encodeURIComponent(part).replaceAll('.', '%2E')))

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Files on disk, readable to this user only. One is there whole or not at all, also after the power went. */
export function openFolder(folder: string): Files {
  return {
    async put(name, bytes) {
      const path = pathIn(folder, name)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const handle = await open(`${path}.part`, 'w', 0o600)
      try {
        await handle.writeFile(bytes)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(`${path}.part`, path)
    },
    async get(name) {
      try {
        return await readFile(pathIn(folder, name))
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },
    delete: name => rm(pathIn(folder, name), { force: true }),
  }
}
