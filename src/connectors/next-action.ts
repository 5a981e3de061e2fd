import Type, { type TProperties, type TSchema } from 'typebox'
import { oneOf } from '../base/shapes.ts'

/**
 * What the customer must do next, one entry a kind. `Given`: what a connector gives of it, and a payment keeps. `shows`: the members of the answer beside `type`, made by `show`; `startPage` is the
 * address of our page that sends the customer on. `onward`: where that page sends them, null if the kind has no such place.
 */
type Kind<Given> = {
  shows: TProperties
  show(given: Given, startPage: string): Record<string, unknown>
  onward(given: Given): string | null
}
const kind = <Given extends object>(one: Kind<Given>): Kind<Given> => one

/** The kinds that connectors give. Another is an entry here: its type, the payment's column, the answer and its schema follow. Not frozen: a test adds one. */
export const nextActions = {
  redirect_to_url: kind<{ url: string }>({
    shows: { redirect_to_url: Type.String({ format: 'uri', description: 'Send the customer here' }) },
    show: (_, startPage) => ({ redirect_to_url: startPage }),
    onward: ({ url }) => url,
  }),
}

type Kinds = typeof nextActions
export type NextAction = {
  [Name in keyof Kinds]: { type: Name } & (Kinds[Name] extends Kind<infer Given> ? Given : never)
}[keyof Kinds]

const kindOf = ({ type }: NextAction): Kind<NextAction> => nextActions[type]

/** As an answer shows it. */
export const showNextAction = (action: NextAction, startPage: string): Record<string, unknown> => ({
  type: action.type,
  ...kindOf(action).show(action, startPage),
})

/** Where our page sends the customer on; null if there is nothing to do, or not at an address. */
export const onwardOf = (action: NextAction | null): string | null => action && kindOf(action).onward(action)

/** What answers look like. */
export const nextActionSeen: TSchema = oneOf(
  'NextAction',
  Object.entries(nextActions).map(([type, { shows }]) => Type.Object({ type: Type.Enum([type]), ...shows })),
)
