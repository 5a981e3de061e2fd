export function makeLinks(packageDir: string): number
