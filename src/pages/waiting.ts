/** The parts that are built separately from the service (`launch/pages.ts`), by the folder of `packages/`. */
const built = { dashboard: 'dashboard', site: 'documentation', 'page-scripts': 'page' } as const

/** Returns a page that stands in for one that is not built yet, and opens it by itself. */
export function buildingPage(nonce: string, folder: keyof typeof built): string {
  const name = built[folder]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="2">
<title>${name[0]!.toUpperCase()}${name.slice(1)} · Switchyard</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">
  :root { color-scheme: light dark }
  body { font: 15px/1.6 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto 0; padding: 0 1.5rem }
  h1 { font-size: 1.25rem }
</style>
</head>
<body>
<main>
<h1>The ${name} is being built</h1>
<p>This happens once, and takes a few seconds; this page opens it by itself. Payments are served meanwhile.</p>
<p>If it takes longer than a minute, the terminal of <code>npm start</code> says why; without <code>npm start</code>, <code>npm run build</code> builds what is missing: <code>packages/${folder}/dist</code>.</p>
</main>
</body>
</html>
`
}
