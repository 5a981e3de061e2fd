import type { ReactElement } from 'react'
import { encode } from 'uqr'

/**
 * A text as a picture that a telephone reads, drawn in this page: nobody else is told the text. Loaded when it is
 * wanted.
 */
export default function Qr({ text, says }: { text: string; says: string }): ReactElement {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={says} shapeRendering="crispEdges">
      <path d={dark.join('')} />
    </svg>
  )
}
