import '@mantine/spotlight/styles.layer.css'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactElement, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { answer, GET, type Schemas } from './api'
import { pageObject } from './page-object'
import { Icon, type IconName } from './parts/icons'
import { withCurrency } from './parts/money'
import { copy, copyCurl } from './parts/toast'
import { places, useSees } from './shell'

type Line = { id: string; label: string; icon: IconName; end?: ReactNode; more?: string; run(): void }
type Hit = Schemas['SearchHit']
type Go = (to: string, search?: Record<string, string>) => () => void

/** Prefixes of ids, with the kind of object and its page. */
const kinds: readonly { prefix: string; name: string; to: string; icon: IconName }[] = [
  { prefix: 'pay_', name: 'Payment', to: '/payments/', icon: 'card' },
  { prefix: 'ref_', name: 'Refund', to: '/refunds/', icon: 'back' },
  { prefix: 'mca_', name: 'Connector account', to: '/connectors/', icon: 'plug' },
  { prefix: 'dp_', name: 'Dispute', to: '/disputes/', icon: 'flag' },
  { prefix: 'pyt_', name: 'Payout', to: '/payouts/', icon: 'up' },
  { prefix: 'evt_', name: 'Event', to: '/developers/events/', icon: 'bolt' },
  { prefix: 'log_', name: 'Request', to: '/developers/logs/', icon: 'lines' },
]

/** The pause after the last key press before a search is requested, in ms. */
const PAUSE_MS = 150
/** The shortest text that is searched for. Shorter texts only filter the commands. */
const SHORTEST = 3
const LONGEST = 255

/** The kinds of search results, each with the page that shows it. */
const shown: Partial<Record<Hit['kind'], { name: string; icon: IconName; open(go: Go, id: string): () => void }>> = {
  payment: { name: 'Payment', icon: 'card', open: (go, id) => go(`/payments/${id}`) },
  refund: { name: 'Refund', icon: 'back', open: (go, id) => go(`/refunds/${id}`) },
  dispute: { name: 'Dispute', icon: 'flag', open: (go, id) => go(`/disputes/${id}`) },
  payout: { name: 'Payout', icon: 'up', open: (go, id) => go(`/payouts/${id}`) },
  event: { name: 'Event', icon: 'bolt', open: (go, id) => go(`/developers/events/${id}`) },
  request_log: { name: 'Request', icon: 'lines', open: (go, id) => go(`/developers/logs/${id}`) },
  customer: { name: 'Customer', icon: 'people', open: (go, id) => go(`/customers/${encodeURIComponent(id)}`) },
  connector_account: { name: 'Connector account', icon: 'plug', open: (go, id) => go(`/connectors/${id}`) },
}

/** Searches the service for a text. The request is aborted when the text changes. */
function useFound(typed: string): { hits: readonly Hit[]; message: string | null } {
  const [asked] = useDebouncedValue(typed, PAUSE_MS)
  const isAsked = asked === typed && asked.length >= SHORTEST && asked.length <= LONGEST
  const { data, isError } = useQuery({
    queryKey: ['search', asked],
    queryFn: ({ signal }) => answer(GET('/search', { params: { query: { q: asked } }, signal })),
    enabled: isAsked,
    retry: false,
  })
  if (!isAsked) return { hits: [], message: null }
  if (isError) return { hits: [], message: 'Search is not available.' }
  const hits = data?.data ?? []
  const without = hits.filter(({ kind }) => !shown[kind]).map(({ kind, id }) => `${kind} ${id}`)
  if (without.length > 0) return { hits, message: `Found, without a page here: ${without.join(', ')}` }
  return { hits, message: data && hits.length === 0 ? 'Nothing has exactly this id, reference or e-mail address.' : null }
}

const lineOf = ({ kind, id, label, status, amount, currency, matched }: Hit, go: Go): Line[] => {
  const how = shown[kind]
  if (!how) return []
  const money = amount !== null && currency !== null ? [withCurrency(amount, currency)] : []
  const more = [...money, ...(status ? [status] : []), ...(label ? [label] : []), `by ${matched}`].join(' · ')
  return [{ id, label: `${how.name} ${id}`, icon: how.icon, more, run: how.open(go, id) }]
}

/** Returns the actions for the object of the page that is shown. */
function ofThisPage(): Line[] {
  const object = pageObject()
  if (object === null) return []
  return [
    ...(object.acts ?? []).map(({ name, icon, key, run }) => ({
      id: `act ${name}`,
      label: name,
      icon,
      ...(key !== undefined && { end: <kbd>{/[A-Z]/.test(key) ? `shift ${key}` : key}</kbd> }),
      more: object.name,
      run,
    })),
    { id: 'copy id', label: 'Copy the id', icon: 'copy', end: <kbd>c</kbd>, more: object.id, run: () => copy(object.id) },
    { id: 'copy curl', label: 'Copy the curl that reads it', icon: 'copy', end: <kbd>shift C</kbd>, run: () => copyCurl(object.read) },
  ]
}

type Props = { isOpen: boolean; close(): void; changeScheme(): void; showKeys(): void }

const [store, spotlight] = createSpotlight()

/**
 * Selects the first line, which Enter opens. If the user has already moved to another line with an arrow key, that
 * line stays selected.
 */
function keepChosen(list: HTMLElement): void {
  const lines = [...list.querySelectorAll('[data-action]')]
  const chosen = lines.findIndex(line => line.hasAttribute('data-selected'))
  const selected = store.getState().selected <= 0 || chosen < 0 ? 0 : chosen
  lines[chosen]?.removeAttribute('data-selected')
  lines[selected]?.setAttribute('data-selected', 'true')
  store.updateState(state => ({ ...state, selected }))
}

/** Shows the command palette. The module is loaded when the palette is first opened. */
export default function Palette({ isOpen, close, changeScheme, showKeys }: Props): ReactElement {
  const [query, setQuery] = useState('')
  const navigate = useNavigate()
  const typed = query.trim()
  const go: Go = (to, search) => () => void navigate({ to, search: search ?? {} })
  const { hits, message } = useFound(typed)
  const sees = useSees()
  useEffect(() => (isOpen ? spotlight.open() : spotlight.close()), [isOpen])
  const commands: Line[] = [
    ...places
      .flatMap(group => group.places)
      .filter(sees)
      .map(place => ({ id: place.to, label: place.name, icon: place.icon, end: <kbd>g {place.key}</kbd>, run: go(place.to) })),
    { id: 'scheme', label: 'Light or dark', icon: 'moon', end: <kbd>shift D</kbd>, run: changeScheme },
    { id: 'keys', label: 'All keys', icon: 'keyboard', end: <kbd>?</kbd>, run: showKeys },
    { id: 'docs', label: 'Documentation of the interface', icon: 'lines', run: () => void window.open('/docs', '_blank', 'noreferrer') },
  ]
  const kind = kinds.find(one => typed.startsWith(one.prefix))
  const found: Line[] = [
    ...hits.flatMap(hit => lineOf(hit, go)),
    ...(kind && !hits.some(({ id }) => id === typed)
      ? [{ id: typed, label: `${kind.name} ${typed}`, icon: kind.icon, run: go(kind.to + typed) }]
      : []),
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
  const list = useRef<HTMLDivElement | null>(null)
  // Without a text, Enter runs the first action of the page's object.
  const appeared = useCallback((node: HTMLDivElement | null) => {
    list.current = node
    if (node !== null && pageObject() !== null) keepChosen(node)
  }, [])
  const ids = hits.map(({ id }) => id).join()
  useEffect(() => {
    if (ids !== '' && list.current) keepChosen(list.current)
  }, [ids])
  const fits = ({ label }: Line) => label.toLowerCase().includes(typed.toLowerCase())
  const [own, fitting] = [(isOpen ? ofThisPage() : []).filter(fits), commands.filter(fits)]
  const lines = (all: readonly Line[]) =>
    all.map(line => (
      <Spotlight.Action
        key={line.id}
        onClick={() => {
          close()
          line.run()
        }}
        leftSection={<Icon name={line.icon} />}
        rightSection={line.end}
        label={line.label}
        description={line.more}
      />
    ))
  return (
    <Spotlight.Root
      store={store}
      attributes={{ content: { 'aria-label': 'Search and commands' } }}
      onSpotlightClose={close}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      size={600}
      lockScroll={false}
      overlayProps={{ blur: 0, backgroundOpacity: 0.4 }}
    >
      <Spotlight.Search
        placeholder="An id, an e-mail address, an order, a command"
        leftSection={<Icon name="search" />}
        aria-label="Search or run a command"
      />
      <p className="palette-says faint" role="status">
        {message}
      </p>
      <Spotlight.ActionsList ref={appeared}>
        {own.length > 0 && <Spotlight.ActionsGroup label="On this page">{lines(own)}</Spotlight.ActionsGroup>}
        {found.length > 0 && <Spotlight.ActionsGroup label="Found by what it is">{lines(found)}</Spotlight.ActionsGroup>}
        {fitting.length > 0 && <Spotlight.ActionsGroup label="Commands">{lines(fitting)}</Spotlight.ActionsGroup>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
