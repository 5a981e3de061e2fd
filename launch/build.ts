// `npm run build`: builds what is not in the repository, for a service that is started without `npm start` and without
// the image. `npm run build -- dashboard` builds a part.
import './help.mjs'
import { projectDir } from './binaries.ts'
import { buildPages, type PagesName, pagesNames } from './pages.ts'

const wanted = process.argv.slice(2)
const unknown = wanted.find(name => !pagesNames.includes(name as PagesName))
if (unknown !== undefined) {
  process.stderr.write(`${unknown} is not built: there are ${pagesNames.join(', ')}\n`)
  process.exit(1)
}
for (const name of wanted.length > 0 ? (wanted as PagesName[]) : pagesNames) {
  const isNew = await buildPages(projectDir, name, line => process.stderr.write(`${line}\n`)).done
  process.stdout.write(`packages/${name}/dist is ${isNew ? 'built' : 'up to date'}\n`)
}
