import { Tooltip } from '@mantine/core'
import type { ReactElement } from 'react'
import { Details } from './details'
import { withCurrency } from './money'

type Action = {
  action: string
  allowed: boolean
  at_most?: number | null
  currency?: string | null
  code: string | null
  words: string | null
}

/**
 * Lists the actions that are allowed now, and for every other action the reason why it is refused, as the service
 * answers. `names` are the actions to list.
 */
export function AllowedActions({
  actions,
  names,
}: {
  actions: readonly Action[]
  names: Readonly<Record<string, string>>
}): ReactElement | null {
  const lines = actions.flatMap(({ action, allowed, at_most, currency, code, words }) => {
    const name = names[action]
    if (name === undefined) return []
    const most = typeof at_most === 'number' && currency ? `up to ${withCurrency(at_most, currency)}` : 'yes'
    return [
      [
        name,
        allowed ? (
          <b className="strong" key={action}>
            {most}
          </b>
        ) : (
          <Tooltip key={action} label={words}>
            <button type="button" className="why">
              no, <span className="code">{code}</span>
            </button>
          </Tooltip>
        ),
      ] as const,
    ]
  })
  return <Details title="What may be asked now" lines={lines} />
}
