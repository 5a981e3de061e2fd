import { kindOf, objects } from './objects'
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

/** The pause after the last key press before a search is requested, in ms. */
const PAUSE_MS = 150
/** The shortest text that is searched for. Shorter texts only filter the commands. */
const SHORTEST = 3
const LONGEST = 255

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
  const without = hits.filter(({ kind }) => !(kind in objects)).map(({ kind, id }) => `${kind} ${id}`)
  if (without.length > 0) return { hits, message: `Found, without a page here: ${without.join(', ')}` }
  return { hits, message: data && hits.length === 0 ? 'Nothing has exactly this id, reference or e-mail address.' : null }
}

const lineOf = ({ kind, id, label, status, amount, currency, matched }: Hit, go: Go): Line[] => {
  if (!(kind in objects)) return []
  const { name, icon, page } = objects[kind as keyof typeof objects]
  const money = amount !== null && currency !== null ? [withCurrency(amount, currency)] : []
  const more = [...money, ...(status ? [status] : []), ...(label ? [label] : []), `by ${matched}`].join(' · ')
  return [{ id, label: `${name} ${id}`, icon, more, run: go(page + encodeURIComponent(id)) }]
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

/** Returns the commands that the palette always has: the pages, and what the frame around them does. */
function useCommands(go: Go, { changeScheme, showKeys }: Pick<Props, 'changeScheme' | 'showKeys'>): Line[] {
  const sees = useSees()
  const pages = places.flatMap(group => group.places).filter(sees)
  return [
    ...pages.map(({ to, name, icon, key }) => ({ id: to, label: name, icon, end: <kbd>g {key}</kbd>, run: go(to) })),
    { id: 'scheme', label: 'Light or dark', icon: 'moon', end: <kbd>shift D</kbd>, run: changeScheme },
    { id: 'keys', label: 'All keys', icon: 'keyboard', end: <kbd>?</kbd>, run: showKeys },
    { id: 'docs', label: 'Documentation of the interface', icon: 'lines', run: () => void window.open('/docs', '_blank', 'noreferrer') },
  ]
}

/** Returns what a text may stand for, without a search: an id, an e-mail address, an order. */
function guessesOf(typed: string, hits: readonly Hit[], go: Go): Line[] {
  const kind = kindOf(typed)
  if (typed === '' || hits.some(({ id }) => id === typed && kind)) return []
  if (kind) return [{ id: typed, label: `${kind.name} ${typed}`, icon: kind.icon, run: go(kind.page + typed) }]
  return typed.includes('@')
    ? [{ id: 'email', label: `Payments of ${typed}`, icon: 'card', run: go('/payments', { customer_email: typed }) }]
    : [{ id: 'order', label: `Payments of order ${typed}`, icon: 'card', run: go('/payments', { merchant_order_reference_id: typed }) }]
}

/** Shows a group of lines; nothing if there are none. */
function Group({ label, lines, close }: { label: string; lines: readonly Line[]; close(): void }): ReactElement | null {
  if (lines.length === 0) return null
  const run = (line: Line) => () => {
    close()
    line.run()
  }
  return (
    <Spotlight.ActionsGroup label={label}>
      {lines.map(line => (
        <Spotlight.Action
          key={line.id}
          onClick={run(line)}
          leftSection={<Icon name={line.icon} />}
          rightSection={line.end}
          label={line.label}
          description={line.more}
        />
      ))}
    </Spotlight.ActionsGroup>
  )
}

/** Shows the command palette. The module is loaded when the palette is first opened. */
export default function Palette({ isOpen, close, ...commands }: Props): ReactElement {
  const [query, setQuery] = useState('')
  const navigate = useNavigate()
  const typed = query.trim()
  const go: Go = (to, search) => () => void navigate({ to, search: search ?? {} })
  const { hits, message } = useFound(typed)
  const all = useCommands(go, commands)
  useEffect(() => (isOpen ? spotlight.open() : spotlight.close()), [isOpen])
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
        <Group label="On this page" lines={(isOpen ? ofThisPage() : []).filter(fits)} close={close} />
        <Group label="Found by what it is" lines={[...hits.flatMap(hit => lineOf(hit, go)), ...guessesOf(typed, hits, go)]} close={close} />
        <Group label="Commands" lines={all.filter(fits)} close={close} />
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}
