import type { ReactNode } from 'react'
import '../shop.css'

export const metadata = { title: 'Shop', icons: { icon: 'data:,' } }

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
