import { useEffect, useRef } from 'react'
import { stored } from './parts/storage'

// Single-letter shortcuts of the page that is shown. They work outside of fields and dialogs, and not after `g`.

type Keys = Readonly<Record<string, () => void>>

/** All shortcuts except those after `g`, which are in `places`. The dialog that `?` opens is made from this list. */
export const shortcuts: readonly { group: string; keys: readonly (readonly [keys: string, does: string])[] }[] = [
  {
    group: 'Everywhere',
    keys: [
      ['ctrl K', 'Search or run a command'],
      ['/', 'Search or run a command'],
      ['t', 'Period'],
      ['f', 'Add a filter'],
      ['shift D', 'Light or dark'],
      ['?', 'All keys'],
      ['esc', 'Close'],
    ],
  },
  {
    group: 'In a list',
    keys: [
      ['j k', 'Next and previous row'],
      ['enter', 'Open the row'],
      ['o', 'Open it in a new tab'],
      ['space', 'Preview the row'],
      ['x', 'Mark the row'],
      ['shift X', 'Mark all rows from the last marked one'],
      ['c', 'Copy the id'],
      ['shift C', 'Copy the curl that reads it'],
      ['[ ]', 'Lower and higher rows'],
    ],
  },
  {
    group: 'On the page of an object',
    keys: [
      ['j k', 'Next and previous of the list one came from'],
      ['c', 'Copy the id'],
      ['shift C', 'Copy the curl that reads it'],
    ],
  },
  {
    group: 'On a payment',
    keys: [
      ['r', 'Refund'],
      ['a', 'Poll the processor'],
      ['shift A', 'Test its routing'],
    ],
  },
  {
    group: 'In the reconciliation',
    keys: [
      ['j k', 'Next and previous difference'],
      ['enter', 'All that is known of it'],
      ['b', 'Settle the difference'],
    ],
  },
]

/** The name of the stored preference about single-letter shortcuts. */
export const LETTERS = 'letters'
/** Whether single-letter shortcuts are on. Some users need them off. */
export const areLettersOn = (): boolean => stored(LETTERS) !== 'off'

const shown = new Set<{ current: Keys }>()

/** Returns the action that a letter has on the page that is shown, if any. */
export const shortcutOfPage = (key: string): (() => void) | undefined => [...shown].map(({ current }) => current[key]).find(Boolean)

/** Registers the shortcuts of a page for as long as it is shown. */
export function usePageShortcuts(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    shown.add(latest)
    return () => void shown.delete(latest)
  }, [])
}
