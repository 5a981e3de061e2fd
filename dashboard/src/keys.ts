import { useEffect, useRef } from 'react'
import { kept } from './parts/kept'

// Single letters that a page understands while it is shown. They work outside of fields and dialogs, and not after `g`.

type Keys = Readonly<Record<string, () => void>>

/** Every key but those of `g`, which the places have; the list that `?` shows is read off it. */
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
      ['space', 'Peek at the row'],
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
      ['a', 'Ask the processor'],
      ['shift A', 'Who would get it now?'],
    ],
  },
]

const LETTERS = 'letters'
/** Whether single letters do anything: a person may need them off. */
export const areLettersOn = (): boolean => kept(LETTERS) !== 'off'
export const lettersKept = LETTERS

const shown = new Set<{ current: Keys }>()

/** What this letter does on the page that is shown, if anything. */
export const ofPage = (key: string): (() => void) | undefined => [...shown].map(({ current }) => current[key]).find(Boolean)

/** Letters of the page that calls this, as long as it is shown. */
export function usePageKeys(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    shown.add(latest)
    return () => void shown.delete(latest)
  }, [])
}
