import { test } from 'node:test'
import { closeShop } from './shop.ts'

/**
 * Runs the tests of several files in one process, one file after the other: the modules that all of them import, and
 * the checks of answers, are read and compiled once. A file begins when the file before it has closed its service.
 */
export async function runFiles(files: { name: string; url: string }[]): Promise<void> {
  for (const { name, url } of files)
    await test(name, async file => {
      file.after(closeShop)
      await import(url)
    })
}
