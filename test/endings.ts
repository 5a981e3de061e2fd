import { after } from 'node:test'

/**
 * What the helpers of tests have opened: a service or a server lives as long as the file of tests that opened it, a
 * browser as long as the process, which may run many files (`test/group.ts`).
 */

type Close = () => unknown

const ofFile: Close[] = []
const ofProcess: Close[] = []

/** Registers a function that closes what the current file has opened, called when its last test is over. */
export const closeAfterFile = (close: Close): void => void ofFile.push(close)

/** Registers a function that closes what all files of this process share. */
export const closeAfterProcess = (close: Close): void => void ofProcess.push(close)

/** Closes what the current file has opened, the latest first. */
export async function endFile(): Promise<void> {
  for (const close of ofFile.splice(0).reverse()) await close()
}

/** Closes what all files of this process share, the latest first. */
export async function endProcess(): Promise<void> {
  for (const close of ofProcess.splice(0).reverse()) await close()
}

let isGroup = false
/** Says that this process runs several files: a hook of Node's would come after the first of them. */
export function runsGroup(): void {
  isGroup = true
}

after(async () => {
  if (isGroup) return
  await endFile()
  await endProcess()
})
