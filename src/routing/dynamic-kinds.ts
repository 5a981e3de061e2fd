/** By the names of their algorithms; those of kind `dynamic` have no other names. */
export const dynamicKinds = {
  success_based: { name: 'Success based dynamic routing', description: 'Accounts with the best success rate first' },
  contract_based: { name: 'Contract based dynamic routing', description: 'Accounts that are behind their contract first' },
  elimination: { name: 'Elimination dynamic routing', description: 'Accounts that do not respond last' },
} as const
export type DynamicKind = keyof typeof dynamicKinds

export function kindNamed(name: string): DynamicKind {
  const found = (Object.keys(dynamicKinds) as DynamicKind[]).find(kind => dynamicKinds[kind].name === name)
  if (!found) throw new Error(`${name} is not a kind of dynamic routing`)
  return found
}
