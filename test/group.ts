import { test } from 'node:test'
import { endFile, endProcess, runsGroup } from './endings.ts'

/**
 * Runs the tests of several files in one process, one file after the other: the modules that all of them import, and
 * the checks of answers, are read and compiled once, and one browser serves all. A file begins when the file before it
 * has closed its service.
 */
export async function runFiles(files: { name: string; url: string }[]): Promise<void> {
  runsGroup()
  for (const { name, url } of files)
    await test(name, async file => {
      file.after(endFile)
      await import(url)
    })
  await endProcess()
}
