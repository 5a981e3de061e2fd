import { useState } from 'react'
import type { FormValues } from '../../parts/form'
import { useSession } from '../../session'

// What was changed and not saved yet stays while this tab is open, wherever one goes in it. Nothing of it is stored.
const drafts = new Map<string, FormValues>()

/** The unsaved changes of this person to this object. */
export function useDraft(id: string): [FormValues, (values: FormValues) => void] {
  const name = `${useSession().user?.user_id} ${id}`
  const [values, setValues] = useState(drafts.get(name) ?? {})
  const keep = (next: FormValues) => {
    drafts.set(name, next)
    setValues(next)
  }
  return [values, keep]
}
