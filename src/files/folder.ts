import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Files } from '../context.ts'

/** No name can lead out of the storage folder. */
const pathIn = (folder: string, name: string): string =>
  join(folder, ...name.split('/').map(part => encodeURIComponent(part).replace(/^\.+/, dots => '%2E'.repeat(dots.length))))

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code
const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT'

/** Node's own `recursive` never ends if the system answers ENOENT to every attempt, as below /proc. */
async function makeFolder(path: string): Promise<void> {
  const make = () =>
    mkdir(path, { mode: 0o700 }).catch(error => {
      if (codeOf(error) !== 'EEXIST') throw error
    })
  await make().catch(async error => {
    if (!isMissing(error) || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await make()
  })
}

async function write(path: string, bytes: Buffer): Promise<void> {
  const handle = await open(path, 'w', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Readable for this operating system user only. A file exists completely or not at all, even after a power failure. */
export function openFolder(folder: string): Files {
  return {
    async put(name, bytes) {
      const path = pathIn(folder, name)
      await makeFolder(dirname(resolve(path)))
      await write(`${path}.part`, bytes)
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
    async tried() {
      await makeFolder(resolve(folder))
      const path = join(folder, `.tried-${randomUUID()}`)
      try {
        await write(path, Buffer.from('tried\n'))
      } finally {
        await rm(path, { force: true })
      }
    },
  }
}
