import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { batchedLookup } from './batched-lookup.ts'

/** Opens a look-up whose answers come when the test says so. */
function openLookUp() {
  const asked: { owner: string; names: readonly string[]; answer(): void; fail(): void }[] = []
  const find = batchedLookup<string>(
    (owner, names) =>
      new Promise((resolve, reject) => {
        const answer = () => resolve(new Map(names.filter(name => name !== 'nothing').map(name => [name, `${owner}'s ${name}`])))
        asked.push({ owner, names: [...names], answer, fail: () => reject(new Error('away')) })
      }),
  )
  return { asked, find, questions: () => asked.map(({ owner, names }) => [owner, ...names]) }
}
const turn = () => new Promise(resolve => setImmediate(resolve))

test('the first lookup is sent at once; those made meanwhile are batched, separately for each owner', async () => {
  const { asked, find, questions } = openLookUp()
  const first = find('ada', 'a')
  const more = ['b', 'c', 'nothing', 'b'].map(name => find('ada', name))
  const other = find('grace', 'a')
  await turn()
  deepEqual(questions(), [
    ['ada', 'a'],
    ['grace', 'a'],
  ])
  asked[0]!.answer()
  equal(await first, "ada's a")
  await turn()
  deepEqual(questions()[2], ['ada', 'b', 'c', 'nothing', 'b'])
  asked[2]!.answer()
  deepEqual(await Promise.all(more), ["ada's b", "ada's c", undefined, "ada's b"])
  asked[1]!.answer()
  equal(await other, "grace's a")
})

test('a lookup that fails does so for its own callers only, and later lookups succeed', async () => {
  const { asked, find } = openLookUp()
  const first = find('ada', 'a')
  const second = find('ada', 'b')
  await turn()
  asked[0]!.fail()
  await rejects(first, /away/)
  await turn()
  asked[1]!.answer()
  equal(await second, "ada's b")
  const third = find('ada', 'c')
  await turn()
  asked[2]!.answer()
  equal(await third, "ada's c")
})
