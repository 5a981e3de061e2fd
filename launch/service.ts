// Starts the service, and queries it until it is ready.
import { setTimeout as wait } from 'node:timers/promises'
import { ask } from './ask.ts'
import { type Child, startChild } from './children.ts'
import { memoryFlags, memorySettings } from './memory.ts'
import type { Listener } from './service-log.ts'

export type ServicePlan = {
  script: string
  env: Record<string, string>
  base: string
  listener: Listener
  say(line: string): void
}

export type Service = Child & { ready: Promise<void> }

/**
 * Returns the child at once; `ready` settles when the service answers, so that the service can be stopped while it
 * starts.
 */
export async function startService(plan: ServicePlan): Promise<Service> {
  const child = await startChild({
    name: 'the service',
    script: plan.script,
    nodeFlags: memoryFlags,
    env: { ...memorySettings, ...plan.env },
    receive: plan.listener.receive,
  })
  const ended = child.ended.then(how => [how, ...plan.listener.lastOutput().map(line => `  ${line}`)].join('\n'))
  let alive = true
  void ended.then(() => {
    alive = false
  })
  const early = ended.then(how => {
    throw new Error(plan.listener.refusal() ?? how)
  })
  early.catch(() => {}) // an end after "ready" is reported by another watcher
  const ready = Promise.race([answering(plan, () => alive), early])
  return { ...child, ended, ready }
}

async function answering(plan: ServicePlan, alive: () => boolean): Promise<void> {
  const begun = Date.now()
  let hasLogged = false
  let last = 'nothing'
  // The program at this address may be another service, which must not receive the admin key: this project's service
  // itself logs that it listens.
  const isOurs = () => ['warn', 'error'].includes(plan.env.LOG_LEVEL ?? '') || plan.listener.isReady()
  while (alive()) {
    try {
      const { status, body } = await ask('GET', `${plan.base}/health/ready`)
      if (status === 200 && isOurs()) return
      last = `${status} ${JSON.stringify(body)}`.slice(0, 500)
    } catch (error) {
      last = (error as Error).message
    }
    if (!hasLogged && Date.now() - begun > 10_000) {
      hasLogged = true
      plan.say(`the service is not ready yet; its last response: ${last}`)
    }
    await wait(20)
  }
}
