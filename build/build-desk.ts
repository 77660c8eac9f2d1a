import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'

const root = join(import.meta.dirname, '..')
const out = join(root, 'dist/desk')

/** Builds the desk of the provider's staff (DSK-1) as a bundle of its own, so that no page of the customers contains any of it. */
export async function buildDesk(): Promise<void> {
  rmSync(out, { recursive: true, force: true })
  const built = await build({
    root,
    logLevel: 'error',
    build: {
      outDir: out,
      cssCodeSplit: false,
      rolldownOptions: {
        input: 'web/desk/desk-main.tsx',
        output: {
          entryFileNames: 'assets/[name]-[hash].js',
          chunkFileNames: 'assets/[name]-[hash].js',
          assetFileNames: 'assets/[name]-[hash][extname]',
        },
      },
    },
  })
  const { output } = built as Rolldown.RolldownOutput
  const script = output.find((file) => file.type === 'chunk' && file.isEntry)!.fileName
  const sheets = output.flatMap(({ fileName }) => (fileName.endsWith('.css') ? fileName : []))
  mkdirSync(out, { recursive: true })
  writeFileSync(join(out, 'desk.html'), documentOf(script, sheets))
}

const documentOf = (script: string, sheets: string[]) => `<!doctype html>
<html lang="pl">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light">
<title>Konsola obsługi</title>
<link rel="icon" href="data:,">
${sheets.map((file) => `<link rel="stylesheet" href="/desk/${file}">`).join('\n')}
<script type="module" src="/desk/${script}"></script>
</head>
<body><div id="desk"></div></body>
</html>
`
