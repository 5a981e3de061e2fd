import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'

/** A failure of a primary, and its repair. */

export type Failure = {
  name: string
  /** `strike` begins the failure; `heal` brings back the lost node, once another primary is at work. */
  strike(cluster: Cluster, primary: number): Promise<void> | void
  heal(cluster: Cluster, primary: number): void
  /** The time within which payments must be acknowledged again, in milliseconds. */
  within: number
}

export const failures: readonly Failure[] = [
  { name: 'PostgreSQL is killed', within: 10_000, strike: (cluster, i) => cluster.killServer(i), heal: () => {} },
  { name: 'its sessions crash', within: 10_000, strike: (cluster, i) => cluster.killSessions(i), heal: () => {} },
  { name: 'the machine is gone', within: 10_000, strike: (cluster, i) => cluster.killNode(i), heal: (cluster, i) => cluster.revive(i) },
  { name: 'the machine stands still', within: 10_000, strike: (cluster, i) => cluster.freeze(i), heal: (cluster, i) => cluster.thaw(i) },
  { name: 'the machine is cut off', within: 10_000, strike: (cluster, i) => cluster.cut(i), heal: (cluster, i) => cluster.mend(i) },
  {
    name: 'the machine is shut down',
    within: 10_000,
    strike: (cluster, i) => cluster.shutDown(i),
    heal: (cluster, i) => cluster.revive(i),
  },
  { name: 'a switchover for maintenance', within: 2000, strike: (cluster, i) => cluster.switchOver(i), heal: () => {} },
]

/** Waits until another node is the primary. */
export async function taken(cluster: Cluster, before: number): Promise<void> {
  while ((await cluster.primary().catch(() => before)) === before) await pause(50)
}
