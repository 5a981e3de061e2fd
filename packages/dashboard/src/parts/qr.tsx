import type { ReactElement } from 'react'
import { encode } from 'uqr'

/**
 * Draws a text as a QR code in the page itself, so no other service learns the text. The module is loaded when needed.
 */
export default function Qr({ text, label }: { text: string; label: string }): ReactElement {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={dark.join('')} />
    </svg>
  )
}
