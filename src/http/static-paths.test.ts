import { deepEqual, equal } from 'node:assert/strict'
import { get } from 'node:http'
import { test } from 'node:test'
import { openPlace, openShop } from '../../test/shop.ts'

// The pages of the service are files, and a stranger chooses the path.

test('an address of a static file that is none is not found, and nothing is logged as an error', async () => {
  const shop = await openShop()
  const { logs } = await openPlace()
  const before = logs.length
  const { hostname, port } = new URL(shop.url)
  /** Asks for a path as it is written: a browser would normalize it. */
  const statusOf = (path: string) =>
    new Promise<number>((resolve, reject) => {
      get({ hostname, port, path }, answer => {
        answer.resume()
        resolve(answer.statusCode!)
      }).on('error', reject)
    })
  const ends = [
    '',
    '%2e%2e',
    '%2e%2e/',
    '%2e%2e%2findex.html',
    '../index.html',
    '%00',
    'a%00.js',
    '%',
    '%ff',
    '.',
    'none.js',
    '%5c..%5c',
    'a/'.repeat(200),
    'a%00.html',
    'a%0d%0ab.html',
    '%e4%b8%ad.html',
  ]
  for (const folder of ['/dashboard/assets/', '/docs/assets/', '/docs/reference/', '/docs/', '/dashboard/', '/sdk/', '/'])
    for (const end of ends) {
      const status = await statusOf(folder + end)
      equal(status !== 500, true, `${folder}${end} ${status}`)
      if (folder.endsWith('assets/') && !end.startsWith('../')) equal([400, 404].includes(status), true, `${folder}${end} ${status}`)
    }
  deepEqual(
    logs.slice(before).filter(line => line.includes('a request failed')),
    [],
  )
})
