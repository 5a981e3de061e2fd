import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactElement, useRef, useState } from 'react'
import { answer, POST } from '../../api'
import { LoadError } from '../../parts/load-error'
import { usePermission } from '../../session'
import Activate from './activate'
import { algorithmOf, type Draft, isWhole } from './draft'
import { DraftEditor } from './draft-editor'
import type { Key } from './keys'
import type { Choice } from './rules'
import { SimulationPanel } from './simulation'

const MONTH = 30 * 86_400_000

type Props = {
  start: Draft
  /** False: the editor cannot write the active rules, so the draft begins without rules. */
  isNew: boolean
  profile_id: string
  accounts: readonly Choice[]
  keys: readonly Key[]
  close(): void
  activated(): Promise<void>
}

/** Returns a draft with its simulation and its storage, which both begin anew when it changes. */
function useDraftOf(start: Draft, profile_id: string, accounts: readonly Choice[], keys: readonly Key[]) {
  const [draft, setDraft] = useState(start)
  const saved = useRef<string | null>(null)
  const simulate = useMutation({
    mutationFn: () => {
      const start_time = new Date(Date.now() - MONTH).toISOString()
      return answer(POST('/routing/simulate', { body: { profile_id, algorithm: algorithmOf(draft, accounts, keys), start_time } }))
    },
  })
  const store = useMutation({
    mutationFn: async (key: string | undefined) => {
      const body = {
        name: draft.name.trim(),
        description: 'Made in the dashboard',
        profile_id,
        algorithm: algorithmOf(draft, accounts, keys),
      }
      const params = key === undefined ? {} : { header: { 'Idempotency-Key': `${key}-save` } }
      saved.current ??= (await answer(POST('/routing', { params, body }))).id
      return saved.current
    },
  })
  const change = (to: Draft) => {
    setDraft(to)
    saved.current = null
    simulate.reset()
    store.reset()
  }
  return { draft, change, simulate, store }
}

/**
 * Shows a draft of rules, with actions to edit the rules, to simulate them with the payments of the last month, to
 * save and to activate them.
 */
export default function DraftPanel({ start, isNew, profile_id, accounts, keys, close, activated }: Props): ReactElement {
  const may = usePermission()
  const [isAsked, setAsked] = useState(false)
  const { draft, change, simulate, store } = useDraftOf(start, profile_id, accounts, keys)
  const ready = isWhole(draft)
  return (
    <>
      {!isNew && <p className="note plain spaced">The active rules say more than can be edited here, so this draft begins anew.</p>}
      <DraftEditor
        draft={draft}
        accounts={accounts}
        keys={keys}
        change={change}
        acts={
          <>
            <Button variant="default" onClick={close}>
              Discard
            </Button>
            <Button
              variant="default"
              disabled={!ready || !may('routing:write') || store.isPending || store.isSuccess}
              title={may('routing:write') ? undefined : 'Your role does not edit rules.'}
              onClick={() => store.mutate(undefined)}
            >
              {store.isSuccess ? 'Saved' : 'Save as algorithm'}
            </Button>
            <Button variant="default" disabled={!ready || simulate.isPending} onClick={() => simulate.mutate()}>
              {simulate.isPending ? 'Simulating…' : 'Simulate'}
            </Button>
            <Button
              disabled={!ready || !may('routing:activate') || !may('routing:write')}
              title={may('routing:activate') ? undefined : 'Your role does not activate rules.'}
              onClick={() => {
                setAsked(true)
                if (simulate.data === undefined && !simulate.isPending) simulate.mutate()
              }}
            >
              Activate…
            </Button>
          </>
        }
      />
      {simulate.error && <LoadError what="The simulation" error={simulate.error} retry={() => simulate.mutate()} />}
      {store.error && !isAsked && <LoadError what="The algorithm" error={store.error} />}
      {simulate.data && <SimulationPanel of={simulate.data} />}
      {isAsked && (
        <Activate
          name={draft.name.trim()}
          simulation={simulate.data ?? null}
          isSimulating={simulate.isPending}
          close={() => setAsked(false)}
          send={async (reason, key) => {
            const routing_algorithm_id = await store.mutateAsync(key)
            const params = { path: { routing_algorithm_id }, header: { 'Idempotency-Key': key } }
            await answer(POST('/routing/{routing_algorithm_id}/activate', { params, body: { reason } }))
            await activated()
          }}
        />
      )}
    </>
  )
}
