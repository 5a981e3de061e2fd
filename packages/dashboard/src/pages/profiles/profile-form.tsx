import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { type FormEvent, type ReactElement, useState } from 'react'
import { answer, POST, type Schemas } from '../../api'
import { plural } from '../../format'
import type { Chosen } from '../../list-address'
import { Field, type FormValues, fieldErrors } from '../../parts/form'
import { Id } from '../../parts/id'
import { SubmitError, useSubmit } from '../../parts/submit'
import { type Profile, useMerchant } from '../../queries'
import { usePermission, useSession } from '../../session'
import { GuardSwitch } from '../blocklist/guard'
import { useDraft } from './drafts'
import { allFields, changeOf, fieldNames, groups, isMasked, isSame, type Node, shownOf } from './fields'

type FieldsProps = {
  nodes: readonly Node[]
  profile: Profile
  values: FormValues
  errors: Readonly<Record<string, string>>
  isFixed: boolean
  change(values: FormValues): void
}

/** Shows the fields of a group. Members of an object are grouped in a fieldset. */
function Fields({ nodes, ...shared }: FieldsProps): ReactElement {
  const { profile, values, errors, isFixed, change } = shared
  return (
    <>
      {nodes.map(node =>
        node.is === 'group' ? (
          <fieldset key={node.name}>
            <legend>{node.label}</legend>
            {node.hint !== '' && <p className="muted">{node.hint}</p>}
            <Fields {...shared} nodes={node.nodes} />
          </fieldset>
        ) : (
          <div key={node.field.name}>
            <Field
              field={node.field}
              value={values[node.field.name] ?? shownOf(node.field, profile)}
              error={errors[node.field.name]}
              disabled={isFixed}
              change={value => change({ ...values, [node.field.name]: value })}
            />
            {isMasked(node.field.name) && profile[node.field.name as keyof Profile] !== null && (
              <p className="muted">
                Now <span className="mono break">{JSON.stringify(profile[node.field.name as keyof Profile])}</span>; what is typed replaces
                all of it.
              </p>
            )}
          </div>
        ),
      )}
    </>
  )
}

const namesOf = (node: Node): string[] => (node.is === 'field' ? [node.field.name] : node.nodes.flatMap(namesOf))

function Tabs({ profile, group, changed }: { profile: Profile; group: string; changed: readonly string[] }): ReactElement {
  return (
    <nav className="tabs" aria-label="Groups of settings">
      {groups.map(one => {
        const count = one.nodes.flatMap(namesOf).filter(name => changed.includes(name)).length
        return (
          <Link
            key={one.group}
            to="/settings/profiles/$profile_id"
            params={{ profile_id: profile.profile_id }}
            search={{ group: one.group }}
            activeOptions={{ exact: true }}
            aria-current={one.group === group ? 'page' : undefined}
          >
            {one.title} {count > 0 && <span className="c">{count} changed</span>}
          </Link>
        )
      })}
    </nav>
  )
}

/** Shows a form for the settings of a business profile. Only changed settings are sent. */
export function ProfileForm({ profile }: { profile: Profile }): ReactElement {
  const merchant_id = useMerchant()
  const { user } = useSession()
  const mayWrite = usePermission()('profiles:write')
  const queries = useQueryClient()
  const search = useSearch({ strict: false }) as Chosen
  const group = groups.find(one => one.group === search.group) ?? groups[0]!
  const [values, setValues] = useDraft(profile.profile_id)
  const [isSaved, setSaved] = useState(false)
  const changed = allFields.filter(field => !isSame(field, values[field.name], profile)).map(({ name }) => name)
  const { body, wrong } = changeOf(profile, values)
  const saving = useSubmit(async key => {
    const params = { path: { merchant_id, profile_id: profile.profile_id }, header: { 'Idempotency-Key': key } }
    await answer(POST('/account/{merchant_id}/business_profile/{profile_id}', { params, body: body as Schemas['UpdateProfileRequest'] }))
    await queries.invalidateQueries({ queryKey: ['profiles'] })
    setValues({})
    setSaved(true)
  })
  const refused = fieldErrors(saving.failure, fieldNames)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (changed.length > 0 && Object.keys(wrong).length === 0) void saving.go()
  }
  return (
    <>
      <Tabs profile={profile} group={group.group} changed={changed} />
      <form className="panel" onSubmit={submit} aria-label={group.title}>
        <header>
          <h2 className="t">{group.title}</h2>
          <span className="muted">{group.description}</span>
          <div className="acts">
            <Id id={profile.profile_id} />
          </div>
        </header>
        <div className="in settings">
          {!mayWrite && (
            <p className="note plain">Your role, {user?.role}, sees profiles and does not change them. Owners and admins do.</p>
          )}
          {group.group === 'fraud' && <GuardSwitch />}
          <Fields
            nodes={group.nodes}
            profile={profile}
            values={values}
            errors={{ ...refused, ...wrong }}
            isFixed={!mayWrite || saving.isBusy}
            change={next => {
              setValues(next)
              setSaved(false)
              saving.forget()
            }}
          />
        </div>
        <div className="save-bar">
          <div className="grow">
            <SubmitError failure={saving.failure} isAtField={Object.keys(refused).length > 0} />
            <span role="status" className="muted break">
              {changed.length > 0
                ? `${plural(changed.length, 'change')} not saved: ${changed.join(', ')}`
                : isSaved
                  ? 'Saved. It holds for the next payment.'
                  : 'Nothing is changed.'}
            </span>
          </div>
          <Button variant="default" disabled={changed.length === 0 || saving.isBusy} onClick={() => setValues({})}>
            Discard
          </Button>
          <Button type="submit" disabled={!mayWrite || changed.length === 0 || Object.keys(wrong).length > 0 || saving.isBusy}>
            {saving.isBusy ? 'Saving…' : 'Save'}
          </Button>
        </div>
      </form>
    </>
  )
}
