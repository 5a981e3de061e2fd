import Type from 'typebox'
import { profileSettings } from '../../accounts/profile-settings.ts'
import { shownSettings } from '../../accounts/profile-shape.ts'
import { orNull } from '../../base/shapes.ts'
import { flag, lists, objects, text } from '../answer-shapes.ts'

/** A profile shows all that can be said of it. */
export const profileAnswer = Type.Object(
  {
    ...Object.fromEntries(shownSettings.map(([name]) => [name, orNull(profileSettings[name].is)])),
    merchant_id: text,
    profile_id: text,
    profile_name: text,
    ...objects('outgoing_webhook_custom_http_headers network_tokenization_credentials'),
    ...lists('acquirer_configs'),
  },
  { title: 'BusinessProfile' },
)

export const switchAnswer = Type.Object({ enabled: flag }, { title: 'Switch' })
