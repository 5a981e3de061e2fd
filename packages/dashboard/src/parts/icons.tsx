import type { ReactElement } from 'react'

/** Icons on a grid of 16 by 16, stroke 1.5, in `currentColor` throughout. */
const drawings = {
  mark: <path d="M1.5 8h3.2c3 0 3-4.5 6-4.5h3.8M4.7 8c3 0 3 4.5 6 4.5h3.8" />,
  home: <path d="m2.5 7.2 5.5-4.7 5.5 4.7V13a.7.7 0 0 1-.7.7H9.7V9.8H6.3v3.9H3.2a.7.7 0 0 1-.7-.7z" />,
  card: <path d="M2 4.7c0-.7.5-1.2 1.2-1.2h9.6c.7 0 1.2.5 1.2 1.2v6.6c0 .7-.5 1.2-1.2 1.2H3.2c-.7 0-1.2-.5-1.2-1.2zM2 6.5h12M4.5 10h2" />,
  back: <path d="M5.5 3 2.5 6l3 3M2.5 6H10a3.5 3.5 0 0 1 0 7H6.5" />,
  flag: <path d="M3.5 14V2.5h8.6l-1.8 3.2 1.8 3.3H3.5" />,
  up: <path d="M8 10.5v-8m0 0-3 3m3-3 3 3M2.5 10.5v2c0 .6.4 1 1 1h9c.6 0 1-.4 1-1v-2" />,
  down: <path d="M8 2.5v8m0 0-3-3m3 3 3-3M2.5 10.5v2c0 .6.4 1 1 1h9c.6 0 1-.4 1-1v-2" />,
  people: (
    <path d="M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM1.8 13.5c0-2.3 1.8-3.7 4.2-3.7s4.2 1.4 4.2 3.7M10.7 2.8a2.5 2.5 0 0 1 0 4.4M12 10c1.4.5 2.2 1.7 2.2 3.5" />
  ),
  scales: <path d="M8 2.5v11M5 13.5h6M3 4.5h10M3.5 4.5 1.7 9h3.6zM12.5 4.5 10.7 9h3.6z" />,
  bank: <path d="M2.5 6 8 2.5 13.5 6zM3.8 6v5.5M6.6 6v5.5M9.4 6v5.5M12.2 6v5.5M2.5 13.5h11M2.5 11.5h11" />,
  file: <path d="M9.5 2.5h-5a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1h7a1 1 0 0 0 1-1v-7zM9.5 2.5v3h3" />,
  plug: <path d="M5.5 2v3m5-3v3M3.5 5h9v2.5A3.5 3.5 0 0 1 9 11H7a3.5 3.5 0 0 1-3.5-3.5zM8 11v3" />,
  key: <path d="M5.3 13.2a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2ZM7.2 8.7l6-6m-2.2 2.2 1.8 1.8M9.2 6.7l1.2 1.2" />,
  hook: <path d="M8 5.5 5.5 10M8 5.5a2 2 0 1 0-2-2M8 5.5l2.5 4.5m-5 0a2 2 0 1 0 0 3.5c.7-.4 1-1 1-1.7h4m0-1.8a2 2 0 1 1-1 3.3" />,
  bolt: <path d="M8.8 1.8 3 9h4.2l-.7 5.2L12.5 7H8.2z" />,
  lines: <path d="M2.5 4h.01M2.5 8h.01M2.5 12h.01M5.5 4h8M5.5 8h8M5.5 12h8" />,
  chart: <path d="M2.5 2.5v11h11M5 10.2l2.8-3.4 2.4 2 3.3-4.3" />,
  book: <path d="M3.5 3.2c0-.6.4-1 1-1h8v11.6h-8a1 1 0 0 1-1-1zM3.5 11.5h9M6 5h4M6 7.5h4" />,
  stack: <path d="M2.5 2.8h11v3h-11zM2.5 6.6h11v3h-11zM2.5 10.4h11v3h-11z" />,
  search: <path d="M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.3 10.3l3.7 3.7" />,
  moon: <path d="M13.5 9.5A5.8 5.8 0 0 1 6.5 2.5a5.8 5.8 0 1 0 7 7Z" />,
  sun: (
    <path d="M8 10.7a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4ZM8 1.5v1m0 11v1M1.5 8h1m11 0h1M3.4 3.4l.7.7m7.8 7.8.7.7m0-9.2-.7.7m-7.8 7.8-.7.7" />
  ),
  menu: <path d="M2.5 4.5h11m-11 3.5h11m-11 3.5h11" />,
  copy: (
    <path d="M6 5.5h6.5c.5 0 1 .4 1 1V13c0 .6-.5 1-1 1H6a1 1 0 0 1-1-1V6.5c0-.6.4-1 1-1ZM3.5 10.5H3a1 1 0 0 1-1-1V3c0-.6.4-1 1-1h6.5c.6 0 1 .4 1 1v.5" />
  ),
  tick: <path d="m3 8.5 3.3 3.3L13 4.7" />,
  close: <path d="m4 4 8 8m0-8-8 8" />,
  plus: <path d="M8 3v10M3 8h10" />,
  higher: <path d="M3.5 10 8 5.5l4.5 4.5" />,
  lower: <path d="M3.5 6 8 10.5 12.5 6" />,
  rows: <path d="M2.5 4h11M2.5 8h11M2.5 12h11" />,
  columns: <path d="M2.5 3.5h11v9h-11zM6.2 3.5v9M9.8 3.5v9" />,
  keyboard: (
    <path d="M2.5 4h11c.4 0 .8.4.8.8v6.4c0 .4-.4.8-.8.8h-11a.8.8 0 0 1-.8-.8V4.8c0-.4.4-.8.8-.8ZM4.5 6.7h.01m2.3 0h.01m2.3 0h.01m2.3 0h.01M5 9.5h6" />
  ),
  eye: <path d="M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z" />,
  left: <path d="M10 3.5 5.5 8l4.5 4.5" />,
  right: <path d="M6 3.5 10.5 8 6 12.5" />,
  again: <path d="M13.5 8a5.5 5.5 0 1 1-1.7-4l1.7 1.5m0-3.5v3.5H10" />,
  person: <path d="M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8ZM2.8 13.7a5.2 5.2 0 0 1 10.4 0" />,
  out: <path d="M6.5 2.5h-3a1 1 0 0 0-1 1v9c0 .6.4 1 1 1h3M6.5 8h7m0 0-2.7-2.7M13.5 8l-2.7 2.7" />,
  warn: <path d="M8 2.3 14.2 13H1.8zM8 6.5v3m0 1.7v.01" />,
  gear: (
    <path d="M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4ZM8 1.8v2m0 8.4v2M1.8 8h2m8.4 0h2M3.6 3.6 5 5m6 6 1.4 1.4m0-8.8L11 5m-6 6-1.4 1.4" />
  ),
  ban: <path d="M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM3.8 3.8l8.4 8.4" />,
  clock: <path d="M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.8V8l2.2 1.5" />,
} as const

export type IconName = keyof typeof drawings

/** Shows an icon beside words. It is hidden from screen readers, because the words carry the meaning. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }): ReactElement {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {drawings[name]}
    </svg>
  )
}
