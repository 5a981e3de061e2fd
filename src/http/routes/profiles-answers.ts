import Type from 'typebox'
import { profileUpdateShape } from '../../accounts/profile-shape.ts'
import { orNull } from '../../base/shapes.ts'
import { flag, lists, objects, text } from '../answer-shapes.ts'

const { dynamic_routing_algorithm: _own, ...said } = profileUpdateShape.properties

/** A profile shows all that can be said of it. */
export const profileAnswer = Type.Object(
  {
    ...Object.fromEntries(Object.entries(said).map(([name, schema]) => [name, orNull(schema)])),
    merchant_id: text,
    profile_id: text,
    profile_name: text,
    is_extended_card_info_enabled: orNull(flag),
    ...objects('outgoing_webhook_custom_http_headers network_tokenization_credentials'),
    ...lists('acquirer_configs'),
  },
  { title: 'BusinessProfile' },
)

export const switchAnswer = Type.Object({ enabled: flag }, { title: 'Switch' })
