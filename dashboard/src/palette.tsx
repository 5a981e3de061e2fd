import '@mantine/spotlight/styles.layer.css'
import { Spotlight } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import { type ReactElement, useState } from 'react'
import { Icon, type IconName } from './parts/icons'
import { places } from './shell'

type Line = { id: string; label: string; icon: IconName; end?: string; run(): void }

/** Ids say by their prefix what they are of. */
const kinds: readonly { prefix: string; name: string; to: string; icon: IconName }[] = [
  { prefix: 'pay_', name: 'Payment', to: '/payments/', icon: 'card' },
  { prefix: 'ref_', name: 'Refund', to: '/refunds/', icon: 'back' },
  { prefix: 'dp_', name: 'Dispute', to: '/disputes/', icon: 'flag' },
  { prefix: 'log_', name: 'Request', to: '/developers/logs/', icon: 'lines' },
]

type Props = { isOpen: boolean; close(): void; changeScheme(): void }

/** Loaded when it is first opened. */
export default function Palette({ isOpen, close, changeScheme }: Props): ReactElement {
  const [query, setQuery] = useState('')
  const navigate = useNavigate()
  const typed = query.trim()
  const go = (to: string, search?: Record<string, string>) => () => void navigate({ to, search: search ?? {} })
  const commands: Line[] = [
    ...places
      .flatMap(group => group.places)
      .map(place => ({ id: place.to, label: place.name, icon: place.icon, end: `g ${place.key}`, run: go(place.to) })),
    { id: 'scheme', label: 'Light or dark', icon: 'moon', end: 'shift D', run: changeScheme },
    { id: 'docs', label: 'Documentation of the interface', icon: 'lines', run: () => void window.open('/docs', '_blank', 'noreferrer') },
  ]
  const kind = kinds.find(one => typed.startsWith(one.prefix))
  const found: Line[] = [
    ...(kind ? [{ id: 'id', label: `${kind.name} ${typed}`, icon: kind.icon, run: go(kind.to + typed) }] : []),
    ...(!kind && typed.includes('@')
      ? [{ id: 'email', label: `Payments of ${typed}`, icon: 'card' as const, run: go('/payments', { customer_email: typed }) }]
      : []),
    ...(!kind && typed !== '' && !typed.includes('@')
      ? [
          {
            id: 'order',
            label: `Payments of order ${typed}`,
            icon: 'card' as const,
            run: go('/payments', { merchant_order_reference_id: typed }),
          },
        ]
      : []),
  ]
  const fitting = commands.filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()))
  const lines = (all: readonly Line[]) =>
    all.map(line => (
      <Spotlight.Action
        key={line.id}
        onClick={() => {
          close()
          line.run()
        }}
        leftSection={<Icon name={line.icon} />}
        rightSection={line.end ? <kbd>{line.end}</kbd> : undefined}
        label={line.label}
      />
    ))
  return (
    <Spotlight.Root
      forceOpened={isOpen}
      onSpotlightClose={close}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      size={600}
      lockScroll={false}
    >
      <Spotlight.Search
        placeholder="An id, an e-mail address, an order, a command"
        leftSection={<Icon name="search" />}
        aria-label="Search or run a command"
      />
      <Spotlight.ActionsList>
        {found.length > 0 && <Spotlight.ActionsGroup label="Found by what it is">{lines(found)}</Spotlight.ActionsGroup>}
        {fitting.length > 0 && <Spotlight.ActionsGroup label="Commands">{lines(fitting)}</Spotlight.ActionsGroup>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
