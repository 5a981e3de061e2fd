import { Modal, Switch } from '@mantine/core'
import type { ReactElement } from 'react'
import { store, useStored } from './parts/storage'
import { places } from './shell'
import { LETTERS, shortcuts } from './shortcuts'

/** Lists all keyboard shortcuts in a dialog. The module is loaded when the dialog is first opened. */
export default function ShortcutsDialog({ close }: { close(): void }): ReactElement {
  const isOn = useStored(LETTERS) !== 'off'
  const goes = places.flatMap(group => group.places).map(({ key, name }) => [`g ${key}`, name] as const)
  return (
    <Modal.Root opened onClose={close} size={760} lockScroll={false}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body>
          <div className="dialog-head">
            <Modal.Title>All keys</Modal.Title>
            <Modal.CloseButton aria-label="Close" />
          </div>
          <div className="all-keys">
            {[...shortcuts, { group: 'Go to', keys: goes }].map(({ group, keys }) => (
              <section key={group} aria-label={group}>
                <h2 className="t">{group}</h2>
                <dl>
                  {keys.map(([key, does]) => (
                    <div key={key}>
                      <dt>
                        {key.split(' ').map(one => (
                          <kbd key={one}>{one}</kbd>
                        ))}
                      </dt>
                      <dd>{does}</dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
          <Switch
            mt={16}
            label="Single letters do something (those with ctrl always do)"
            checked={isOn}
            onChange={event => store(LETTERS, event.currentTarget.checked ? null : 'off')}
          />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
