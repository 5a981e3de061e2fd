import { useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import Confirm from './confirm'

/** Asks whether a processor shall be asked. `who`: its name; `ask`: asks it, and resolves when it has answered. */
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
