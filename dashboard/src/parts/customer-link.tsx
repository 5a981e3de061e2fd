import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useIsWhole } from '../session'

/** A customer, as a link to their page where the person may see customers, who are the whole merchant's. */
export function CustomerLink({ id, name }: { id: string; name?: string | null | undefined }): ReactElement {
  const words = name ?? id
  const mono = name ? '' : 'mono'
  if (!useIsWhole()) return <span className={mono}>{words}</span>
  return (
    <Link to="/customers/$customer_id" params={{ customer_id: id }} className={`link ${mono}`}>
      {words}
    </Link>
  )
}
