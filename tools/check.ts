import { spawnSync } from 'node:child_process'

/** Types and style: `npm run check`; `npm run check -- --write` mends what can be mended. */
const write = process.argv.includes('--write') ? ['--write'] : []
const steps: [string, string[]][] = [
  ['node_modules/.bin/tsc', ['--noEmit', '-p', '.']],
  ['node_modules/.bin/tsc', ['--noEmit', '-p', 'src/pages/browser']],
  ['node_modules/.bin/biome', ['check', ...write]],
]
for (const [command, args] of steps) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
