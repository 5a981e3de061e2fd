import { createClient, type Switchyard } from '@switchyard/node'
import type { Command } from 'commander'
import { openScreen, type Screen } from './output.ts'
import { checkUrl, chosenProfile, type GlobalOptions, Mistake, type Profile } from './settings.ts'

/** The dependencies of a command: the screen, the client, and the chosen profile. */
export type Desk = {
  screen: Screen
  /** Returns a client with the merchant's key, or with the admin key. */
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

/** The exit codes, which tell programs how a command ended. */
export const exits = { fine: 0, refused: 1, usage: 2, unreachable: 3, unauthorized: 4, unwell: 5 } as const

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * Returns a time in milliseconds since 1970, from a time or from an age such as `10m`, `2h`, `1d`. NaN if the text is
 * neither.
 */
export function momentOf(text: string, now: number): number {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(text) ?? []
  return count === undefined ? Date.parse(text) : now - Number(count) * units[unit!]!
}

/** Reads a time or an age from an option, as ISO 8601. Throws a Mistake if the text is neither. */
export function moment(text: string): string {
  const at = momentOf(text, Date.now())
  if (Number.isNaN(at)) throw new Mistake(`${text} is no time: 2h, 1d, 2030-01-01T00:00:00Z`)
  return new Date(at).toISOString()
}

/** Reads a whole number from an option. Throws a Mistake if the text is none. */
export function whole(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Mistake(`${text} is no whole number`)
  return Number(text)
}
