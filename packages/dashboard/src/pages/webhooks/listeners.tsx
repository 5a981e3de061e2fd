import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { answer, GET, type Schemas } from '../../api'
import { plural } from '../../format'
import { Panel } from '../../parts/details'
import { Ago } from '../../parts/time'
import { usePermission } from '../../session'

export type Listener = Schemas['EventListener']

/** The time between two reads of the listeners, which come and go within a minute. */
const LOOK_EVERY_MS = 10_000

/** Returns the listeners that are connected now; none for users who may not read endpoints. */
export function useListeners(): readonly Listener[] {
  const { data } = useQuery({
    queryKey: ['webhooks', 'listeners'],
    queryFn: () => answer(GET('/event_listeners')),
    enabled: usePermission()('webhooks:read'),
    refetchInterval: LOOK_EVERY_MS,
  })
  return (data?.data ?? []) as Listener[]
}

/** Lists the programs that listen on developers’ machines; nothing if there are none. */
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
