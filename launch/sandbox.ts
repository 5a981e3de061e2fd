// Starts the sandbox processor and reads its output.
import { type Child, environment, startChild } from './children.ts'
import { lastLines } from './log-file.ts'

export type SandboxPlan = { script: string; host: string; port: number; ledger: string; show(line: string): void }

/**
 * Returns the child at once; `ready` settles when the sandbox listens, so that the sandbox can be stopped while it
 * starts.
 */
export async function startSandbox(plan: SandboxPlan): Promise<Child & { ready: Promise<void> }> {
  const output = lastLines(10)
  let listens = false
  let listening = () => {}
  const open = new Promise<void>(resolve => {
    listening = () => {
      listens = true
      resolve()
    }
  })
  const child = await startChild({
    name: 'the sandbox',
    script: plan.script,
    env: environment({
      SANDBOX_PORT: String(plan.port),
      SANDBOX_HOST: plan.host,
      SANDBOX_LEDGER: plan.ledger,
      SANDBOX_DIES_WITH_STDIN: '1',
    }),
    receive(chunk, from) {
      for (const line of output.receive(chunk.toString('utf8'))) {
        if (line.startsWith('sandbox listening on ')) listening()
        else if (from === 'stderr' && listens) plan.show(line) // earlier output is reported when the sandbox ends
      }
    },
  })
  const early = child.ended.then(how => {
    throw new Error([how, ...output.all().map(line => `  ${line}`)].join('\n'))
  })
  early.catch(() => {}) // an end after "ready" is reported by another watcher
  return { ...child, ready: Promise.race([open, early]) }
}
