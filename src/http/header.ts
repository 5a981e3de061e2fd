/** Returns the value of a header that was sent exactly once. */
export const single = (value: string | string[] | undefined): string | undefined => (typeof value === 'string' ? value : undefined)
