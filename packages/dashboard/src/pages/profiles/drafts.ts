import { useState } from 'react'
import type { FormValues } from '../../parts/form'
import { useSession } from '../../session'

// Unsaved changes of a form. They stay in memory while the tab is open, also when the user opens other pages, and are
// never stored.
const drafts = new Map<string, FormValues>()

/** Returns the unsaved changes of the signed-in user to an object, with the function that replaces them. */
export function useDraft(id: string): [FormValues, (values: FormValues) => void] {
  const name = `${useSession().user?.user_id} ${id}`
  const [values, setValues] = useState(drafts.get(name) ?? {})
  const keep = (next: FormValues) => {
    drafts.set(name, next)
    setValues(next)
  }
  return [values, keep]
}
