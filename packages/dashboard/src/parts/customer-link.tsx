import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useIsMerchantWide } from '../session'

/**
 * Links to a customer's page. Customers belong to the whole merchant, so users whose role holds for some profiles see
 * only the name.
 */
export function CustomerLink({ id, name }: { id: string; name?: string | null | undefined }): ReactElement {
  const label = name ?? id
  const mono = name ? '' : 'mono'
  if (!useIsMerchantWide()) return <span className={mono}>{label}</span>
  return (
    <Link to="/customers/$customer_id" params={{ customer_id: id }} className={`link ${mono}`}>
      {label}
    </Link>
  )
}
