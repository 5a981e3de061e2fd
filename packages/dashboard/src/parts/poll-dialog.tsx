import { useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import Confirm from './confirm'

/**
 * Asks for confirmation before a processor is queried. `who` is its name; `ask` queries it and resolves when the
 * processor has answered.
 */
export function PollDialog({ who, ask, close }: { who: string; ask(): Promise<unknown>; close(): void }): ReactElement {
  const queries = useQueryClient()
  return (
    <Confirm
      title="Poll the processor?"
      act="Poll the processor"
      acting="Asking…"
      keep="Not now"
      close={close}
      consequence={
        <p>
          <b className="strong">No money moves.</b> The service asks {who} for the current status and applies the answer.
        </p>
      }
      send={async () => {
        await ask()
        await queries.invalidateQueries()
      }}
    />
  )
}
