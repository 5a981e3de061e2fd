/**
 * Returns JSON with one line for each member down to a depth, and each member below it on one line: a generated file
 * has few lines, and a difference names what changed.
 */
export function jsonLines(value: unknown, depth: number, indent = ''): string {
  if (depth === 0 || value === null || typeof value !== 'object' || Object.keys(value).length === 0) return JSON.stringify(value)
  const inner = `${indent}  `
  const member = ([name, one]: [string, unknown]) =>
    `${inner}${Array.isArray(value) ? '' : `${JSON.stringify(name)}: `}${jsonLines(one, depth - 1, inner)}`
  const lines = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .map(member)
    .join(',\n')
  return Array.isArray(value) ? `[\n${lines}\n${indent}]` : `{\n${lines}\n${indent}}`
}
