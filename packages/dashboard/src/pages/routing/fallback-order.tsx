import { ActionIcon, Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { answer, POST, type Schemas } from '../../api'
import { Panel } from '../../parts/details'
import { Icon } from '../../parts/icons'
import { usePermission } from '../../session'
import { type Choice, useNames } from './rules'

const Confirm = lazy(() => import('../../parts/confirm'))

type Props = { of: 'payment' | 'payout'; profile_id: string; order: readonly Choice[] }

const moved = <T,>(all: readonly T[], from: number, to: number): T[] => {
  const rest = all.filter((_, at) => at !== from)
  return [...rest.slice(0, to), all[from]!, ...rest.slice(to)]
}

type SaveProps = Omit<Props, 'order'> & { draft: readonly Choice[]; close(): void; saved(): void }

function Save({ of, profile_id, draft, close, saved }: SaveProps): ReactElement {
  const nameOf = useNames()
  const queries = useQueryClient()
  return (
    <Confirm
      title="Change the fallback order?"
      act="Save the order"
      acting="Saving…"
      keep="Keep the order as it is"
      close={close}
      consequence={
        <p>
          <b className="strong">
            Every new {of} that no rule decides goes to {nameOf(draft[0]!)} first,
          </b>{' '}
          then to {draft.slice(1).map(nameOf).join(', then ')}. What was sent stays where it is.
        </p>
      }
      send={async key => {
        const params = { path: { profile_id }, header: { 'Idempotency-Key': key } }
        const body = draft.map(({ connector, merchant_connector_id }) => ({
          connector: connector ?? '',
          merchant_connector_id: merchant_connector_id ?? undefined,
        })) as Schemas['SetFallbackOfProfileRequest']
        await answer(
          of === 'payout'
            ? POST('/routing/payouts/default/profile/{profile_id}', { params, body })
            : POST('/routing/default/profile/{profile_id}', { params, body }),
        )
        await queries.invalidateQueries({ queryKey: ['routing'] })
        saved()
      }}
    />
  )
}

/**
 * Shows the fallback order: accounts in the order in which they are tried if no rule applies. A change is in force
 * once it is saved.
 */
export function FallbackOrder({ of, profile_id, order }: Props): ReactElement {
  const nameOf = useNames()
  const may = usePermission()('routing:activate')
  const [draft, setDraft] = useState<readonly Choice[] | null>(null)
  const [isAsked, setAsked] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const shown = draft ?? order
  const why = may ? undefined : 'Your role does not change the fallback order.'
  const move = (from: number, to: number) => {
    setDraft(moved(shown, from, to))
    setSaved(false)
  }
  return (
    <Panel title="Fallback order" hint="Where no rule says otherwise, and after what a rule says">
      {shown.length === 0 && <p className="blank">No enabled account: nothing can go anywhere.</p>}
      <ol className="in tight order">
        {shown.map((one, at) => (
          <li key={one.merchant_connector_id}>
            <span className="faint num">{at + 1}</span>
            <span className="grow">
              <b className="strong">{nameOf(one)}</b> <span className="muted">{one.connector}</span>
            </span>
            {([-1, 1] as const).map(by => (
              <ActionIcon
                key={by}
                variant="default"
                size={28}
                disabled={!may || at + by < 0 || at + by >= shown.length}
                title={why}
                aria-label={`Move ${nameOf(one)} ${by < 0 ? 'up' : 'down'}`}
                onClick={() => move(at, at + by)}
              >
                <span className={by < 0 ? 'turn-up' : 'turn-down'}>
                  <Icon name="right" size={12} />
                </span>
              </ActionIcon>
            ))}
          </li>
        ))}
      </ol>
      {shown.length > 1 && (
        <div className="save-bar">
          <span className="grow" role="status">
            {draft ? 'Not saved yet.' : isSaved ? 'Saved. It holds for the next payment.' : ''}
          </span>
          <Button variant="default" disabled={draft === null} onClick={() => setDraft(null)}>
            Discard
          </Button>
          <Button disabled={draft === null || !may} title={why} onClick={() => setAsked(true)}>
            Save the order…
          </Button>
        </div>
      )}
      <Suspense>
        {isAsked && draft && (
          <Save
            {...{ of, profile_id, draft }}
            close={() => setAsked(false)}
            saved={() => {
              setDraft(null)
              setSaved(true)
            }}
          />
        )}
      </Suspense>
    </Panel>
  )
}
