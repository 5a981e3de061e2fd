/** Shapes of requests out of the interface's document, which the build puts in (`vite.config.ts`). */
declare module 'virtual:shapes' {
  export type Shape = {
    type?: string
    description?: string
    format?: string
    enum?: readonly string[]
    items?: Shape
    properties?: Readonly<Record<string, Shape>>
    'x-kept-only'?: true | readonly string[]
  }
  export const updateProfile: Shape
  /** What merchants hear of, by the names of events. */
  export const eventTypes: readonly string[]
}
