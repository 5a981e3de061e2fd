import { createClient, type Switchyard } from '@switchyard/node'
import type { Command } from 'commander'
import { openScreen, type Screen } from './output.ts'
import { checkUrl, chosenProfile, type GlobalOptions, Mistake, type Profile } from './settings.ts'

/** What a command works with. */
export type Desk = {
  screen: Screen
  /** As whom the deployment is called. */
  client(as?: 'merchant' | 'admin'): Switchyard
  profile: Partial<Profile>
  url(): string
  merchant(): string
}

export const openScreenOf = ({ json }: Pick<GlobalOptions, 'json'>): Screen => openScreen(json === true)

export function openDesk(command: Command): Desk {
  const options = command.optsWithGlobals<GlobalOptions>()
  const profile = chosenProfile(options)
  const url = () => {
    if (profile.url === undefined)
      throw new Mistake('which deployment? Sign in (switchyard login --url URL), set SWITCHYARD, or give --url')
    checkUrl(profile.url)
    return profile.url
  }
  return {
    screen: openScreenOf(options),
    profile,
    url,
    client(as = 'merchant') {
      const key = as === 'admin' ? (profile.admin_key ?? (options.key || undefined)) : profile.key
      if (key === undefined)
        throw new Mistake(
          as === 'admin'
            ? 'this needs the admin key: set ADMIN_KEY'
            : 'with which key? Sign in (switchyard login), set SWITCHYARD_KEY, or give --key',
        )
      return createClient({ baseUrl: url(), apiKey: key })
    },
    merchant() {
      if (profile.merchant === undefined) throw new Mistake('of which merchant? Set SWITCHYARD_MERCHANT, or give --merchant')
      return profile.merchant
    },
  }
}

/** What programs learn from how a command ended. */
export const exits = { fine: 0, refused: 1, usage: 2, unreachable: 3, unauthorized: 4, unwell: 5 } as const

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * A time in milliseconds since 1970, said as one or as how long ago that was: `10m`, `2h`, `1d`. NaN: it is neither.
 */
export function momentOf(text: string, now: number): number {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(text) ?? []
  return count === undefined ? Date.parse(text) : now - Number(count) * units[unit!]!
}

/** The same, as an option gives it. */
export function moment(text: string): string {
  const at = momentOf(text, Date.now())
  if (Number.isNaN(at)) throw new Mistake(`${text} is no time: 2h, 1d, 2030-01-01T00:00:00Z`)
  return new Date(at).toISOString()
}

/** A whole number, as an option gives it. */
export function whole(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Mistake(`${text} is no whole number`)
  return Number(text)
}
