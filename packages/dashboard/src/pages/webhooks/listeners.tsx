import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { answer, GET, type Schemas } from '../../api'
import { plural } from '../../format'
import { Panel } from '../../parts/details'
import { Table } from '../../parts/table'
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
      <Table
        title="Listeners"
        label="Listeners that are there now"
        rows={listeners}
        keyOf={({ listener_id }) => listener_id}
        columns={[
          { name: 'Who', cell: ({ name }) => name },
          { name: 'Machine', cell: ({ machine }) => machine },
          { name: 'Forwards to', look: 'break', cell: ({ forward_to }) => forward_to },
          {
            name: 'Events',
            cell: ({ event_types }) => (event_types ? plural(event_types.length, 'kind of event', 'kinds of events') : 'every event'),
          },
          { name: 'Since', right: true, cell: ({ created }) => <Ago at={created} /> },
        ]}
      />
    </Panel>
  )
}
