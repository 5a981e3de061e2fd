export function diesWithParent(signal: 'INT' | 'TERM' | 'KILL'): string[]
