// A summary of a V8 CPU profile (`node --cpu-prof`): where the time of one thread was spent.
import { readFileSync } from 'node:fs'

export type Profile = {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] }[]
  startTime: number
  samples: number[]
  timeDeltas: number[]
}

export type Share = { name: string; percent: number }

export const readProfile = (file: string): Profile => JSON.parse(readFileSync(file, 'utf8'))

/** The longest function name that is shown. V8 names a regular expression by its text. */
const LONGEST_NAME = 80

/**
 * Returns the shares of the time that was not idle, between two moments of the monotonic clock (microseconds), the
 * largest first.
 */
export function sumUp(profile: Profile, from: number, to: number): { functions: Share[]; places: Share[]; ours: Share[] } {
  const nodes = new Map(profile.nodes.map(node => [node.id, node]))
  const parents = new Map<number, number>()
  for (const node of profile.nodes) for (const child of node.children ?? []) parents.set(child, node.id)
  const nearest = (id: number): string => {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const place = placeOf(nodes.get(at)!.callFrame.url)
      if (place.startsWith('src/')) return `${place} ${nodes.get(at)!.callFrame.functionName || '(anonymous)'}`
    }
    return '(no frame of ours)'
  }
  const functions = new Map<string, number>()
  const places = new Map<string, number>()
  const ours = new Map<string, number>()
  const add = (sums: Map<string, number>, name: string, time: number) => sums.set(name, (sums.get(name) ?? 0) + time)
  let all = 0
  let now = profile.startTime
  profile.samples.forEach((id, i) => {
    const time = profile.timeDeltas[i]!
    now += time
    const { functionName, url, lineNumber } = nodes.get(id)!.callFrame
    if (now < from || now > to || functionName === '(idle)') return
    all += time
    const place = placeOf(url) || functionName
    add(
      functions,
      (url === '' ? functionName : `${functionName || '(anonymous)'} ${fileOf(url)}:${lineNumber + 1}`).slice(0, LONGEST_NAME),
      time,
    )
    add(places, place, time)
    add(ours, nearest(id), time)
  })
  const shares = (sums: Map<string, number>): Share[] =>
    [...sums].map(([name, time]) => ({ name, percent: (time / all) * 100 })).sort((a, b) => b.percent - a.percent)
  return { functions: shares(functions), places: shares(places), ours: shares(ours) }
}

/** Returns the place of a frame: a package, a file of the service, or a module of Node. */
function placeOf(url: string): string {
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  return inPackage ?? /\/(src\/.*)$/.exec(url)?.[1] ?? url
}

const fileOf = (url: string): string => /.*\/node_modules\/(.*)$/.exec(url)?.[1] ?? /\/(src\/.*)$/.exec(url)?.[1] ?? url
