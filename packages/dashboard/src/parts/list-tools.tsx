import { ActionIcon, Checkbox, Popover } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type DragEvent, type ReactElement, useState } from 'react'
import { usePageShortcuts } from '../shortcuts'
import { Icon } from './icons'
import { store, useStored } from './storage'

// Settings of a list: its columns with their order, and the height of its rows. Columns are also a parameter of the
// address, so that a view can be sent to a colleague; the address takes precedence over the columns stored in this
// browser.

const heights = ['narrow', 'usual', 'high'] as const
export type Height = (typeof heights)[number]
const HEIGHT = 'rows'

/** Returns the name of a column in the address: `went_to` for `Went to`. */
const slug = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')

type Named = { name: string; wide?: boolean }

/** Returns the columns to show, in their order. The first one links to the object, so it is always first. */
export function useColumns<Column extends Named>(of: string, columns: readonly Column[]) {
  const { columns: sent } = useSearch({ strict: false }) as { columns?: string }
  const storedHere = useStored(`columns ${slug(of)}`)
  const navigate = useNavigate()
  const chosen = (sent || storedHere)?.split(',')
  const [first, ...others] = columns
  const byName = new Map(others.map(column => [slug(column.name), column]))
  const shown =
    chosen === undefined
      ? others
      : // A column that the user has chosen is shown on a narrow screen too.
        chosen.flatMap(name => (byName.has(name) ? [{ ...byName.get(name)!, wide: false }] : []))
  const choose = (names: readonly string[] | null): void => {
    const text = names === null ? null : names.map(slug).join(',') || slug(first!.name)
    store(`columns ${slug(of)}`, text)
    void navigate({ to: '.', search: (before: Record<string, string>) => ({ ...before, columns: text ?? '' }), replace: true } as never)
  }
  return { shown: first === undefined ? [] : [first, ...shown], isChosen: chosen !== undefined, choose }
}

/** Returns the height of rows, which is the same for all lists. `[` and `]` change it. */
export function useHeight(): Height {
  const storedHeight = useStored(HEIGHT)
  const height = heights.find(one => one === storedHeight) ?? 'usual'
  const by = (step: number) => store(HEIGHT, heights[Math.max(0, Math.min(heights.length - 1, heights.indexOf(height) + step))]!)
  usePageShortcuts({ '[': () => by(-1), ']': () => by(1) })
  return height
}

type ChooserProps = {
  all: readonly string[]
  shown: readonly string[]
  isChosen: boolean
  choose(names: readonly string[] | null): void
}

/** Shows a menu that chooses columns and their order, by dragging or with arrow buttons. */
function Chooser({ all, shown, isChosen, choose }: ChooserProps): ReactElement {
  const [dragged, setDragged] = useState<string | null>(null)
  const hidden = all.filter(name => !shown.includes(name))
  const moved = (name: string, to: number) => {
    const rest = shown.filter(one => one !== name)
    choose([...rest.slice(0, to), name, ...rest.slice(to)])
  }
  const over = (event: DragEvent, name: string) => {
    event.preventDefault()
    if (dragged !== null && dragged !== name) moved(dragged, shown.indexOf(name))
  }
  return (
    <div className="chooser">
      <ul aria-label="Columns">
        {shown.map((name, at) => (
          <li
            key={name}
            draggable
            onDragStart={() => setDragged(name)}
            onDragEnd={() => setDragged(null)}
            onDragOver={event => over(event, name)}
          >
            <Checkbox size="xs" label={name} checked onChange={() => choose(shown.filter(one => one !== name))} />
            <ActionIcon
              variant="subtle"
              size={24}
              aria-label={`${name} further left`}
              disabled={at === 0}
              onClick={() => moved(name, at - 1)}
            >
              <Icon name="higher" size={12} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              size={24}
              aria-label={`${name} further right`}
              disabled={at === shown.length - 1}
              onClick={() => moved(name, at + 1)}
            >
              <Icon name="lower" size={12} />
            </ActionIcon>
          </li>
        ))}
        {hidden.map(name => (
          <li key={name}>
            <Checkbox size="xs" label={name} checked={false} onChange={() => choose([...shown, name])} />
          </li>
        ))}
      </ul>
      <button type="button" className="quiet link" disabled={!isChosen} onClick={() => choose(null)}>
        As at first
      </button>
    </div>
  )
}

/** Shows the tools at the upper right of a list: height of rows, columns. */
export function ListTools({ height, ...columns }: { height: Height } & ChooserProps): ReactElement {
  const next = heights[(heights.indexOf(height) + 1) % heights.length]!
  return (
    <div className="list-tools">
      <ActionIcon
        className="heights"
        variant="subtle"
        size={28}
        aria-label={`Rows: ${height}`}
        title="Height of the rows ([ and ])"
        onClick={() => store(HEIGHT, next)}
      >
        <Icon name="rows" />
      </ActionIcon>
      <Popover position="bottom-end" trapFocus returnFocus>
        <Popover.Target>
          <ActionIcon variant="subtle" size={28} aria-label="Columns" title="Columns">
            <Icon name="columns" />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown p={12} miw={220}>
          <Chooser {...columns} />
        </Popover.Dropdown>
      </Popover>
    </div>
  )
}
