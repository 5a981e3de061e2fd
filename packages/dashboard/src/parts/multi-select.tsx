import { MultiSelect as BaseSelect, type MultiSelectProps } from '@mantine/core'
import { type ReactElement, useState } from 'react'

/** Shows a select of several values. Its list closes after each choice, so that it covers no other field. */
export function MultiSelect(props: MultiSelectProps): ReactElement {
  const [isOpen, setOpen] = useState(false)
  return (
    <BaseSelect
      searchable
      limit={100}
      {...props}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onOptionSubmit={() => setOpen(false)}
    />
  )
}
