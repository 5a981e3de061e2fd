import { MultiSelect, type MultiSelectProps } from '@mantine/core'
import { type ReactElement, useState } from 'react'

/** Several of many. What is offered goes away with each choice, so that it covers nothing that is needed next. */
export function SomeOf(props: MultiSelectProps): ReactElement {
  const [isOpen, setOpen] = useState(false)
  return (
    <MultiSelect
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
