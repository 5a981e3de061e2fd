import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { plural } from '../../facts'
import { answer, GET, type Schemas } from '../../interface'
import { Panel } from '../../parts/details'
import { Ago } from '../../parts/time'
import { useMay } from '../../session'

export type Listener = Schemas['EventListener']

/** Listeners come and go within a minute: so often they are looked for. */
const LOOK_EVERY_MS = 10_000

/** The listeners that are there now; none for a person who may not see endpoints. */
export function useListeners(): readonly Listener[] {
  const { data } = useQuery({
    queryKey: ['webhooks', 'listeners'],
    queryFn: () => answer(GET('/event_listeners')),
    enabled: useMay()('webhooks:read'),
    refetchInterval: LOOK_EVERY_MS,
  })
  return (data?.data ?? []) as Listener[]
}

/** The programs that listen on developers’ machines; nothing while there is none. */
export function Listeners(): ReactElement | null {
  const listeners = useListeners()
  if (listeners.length === 0) return null
  return (
    <Panel title="Listeners" hint={String(listeners.length)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too */}
      <section className="tw" tabIndex={0} aria-label="Listeners that are there now">
        <table aria-label="Listeners">
          <thead>
            <tr>
              <th scope="col">Who</th>
              <th scope="col">Machine</th>
              <th scope="col">Forwards to</th>
              <th scope="col">Events</th>
              <th scope="col" className="n">
                Since
              </th>
            </tr>
          </thead>
          <tbody>
            {listeners.map(({ listener_id, name, machine, forward_to, event_types, created }) => (
              <tr key={listener_id}>
                <td>{name}</td>
                <td>{machine}</td>
                <td className="break">{forward_to}</td>
                <td>{event_types ? plural(event_types.length, 'kind of event', 'kinds of events') : 'every event'}</td>
                <td className="n">
                  <Ago at={created} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  )
}
