import Type from 'typebox'

/** Shapes that several resources share. */

export const text = (maxLength: number) => Type.String({ maxLength })
export const shortText = text(255)
export const time = Type.String({ format: 'date-time' })

export const METADATA = { keys: 50, name: 40, value: 500 }

/** Up to 50 keys of up to 40 characters; a value is at most 500 characters (as text, or as JSON). The limits are checked by `checkMetadata`. */
export const metadata = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Up to 50 keys of up to 40 characters with values of up to 500',
})
