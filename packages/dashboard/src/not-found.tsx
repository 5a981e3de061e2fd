import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'

export function NotFound(): ReactElement {
  return (
    <div className="blank">
      <h1>There is no such page</h1>
      <p>
        <Link to="/payments" className="link">
          Payments
        </Link>
      </p>
    </div>
  )
}
