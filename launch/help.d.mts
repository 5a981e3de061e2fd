export const helps: Readonly<Record<string, string>>
