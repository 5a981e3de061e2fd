export function strays(mark: string, folder: string): number[]
