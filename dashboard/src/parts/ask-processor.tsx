import { useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import Confirm from './confirm'

/**
 * Asks for confirmation before a processor is queried. `who` is its name; `ask` queries it and resolves when the
 * processor has answered.
 */
export function AskProcessor({ who, ask, close }: { who: string; ask(): Promise<unknown>; close(): void }): ReactElement {
  const queries = useQueryClient()
  return (
    <Confirm
      title="Ask the processor?"
      act="Ask the processor"
      acting="Asking…"
      keep="Not now"
      close={close}
      consequence={
        <p>
          <b className="strong">No money moves.</b> {who} is asked what became of what was sent; what it says is written down.
        </p>
      }
      send={async () => {
        await ask()
        await queries.invalidateQueries()
      }}
    />
  )
}
