import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import {
  configMarker,
  iconLinks,
  incidentMarker,
  incidentPlace,
  statusMarker,
  statusPlace,
} from '../contract/page-markers.ts'
import { pages, type PageName } from '../contract/pages.ts'
import { firstReadOfAll, firstReads } from '../web/first-reads.ts'
import { selectSheet } from '../web/ui/select-sheet.ts'
import { chunksIn, type PageOrShell } from './built-chunks.ts'
import { pageLoader } from './page-loader.ts'
import { sbomText } from './sbom.ts'

/** `npm run build`: the browser's part as the server serves it, in `dist/web`. */
const root = join(import.meta.dirname, '..')
const out = join(root, 'dist/web')
const prerenderer = join(root, 'dist/prerender')
const assets = join(out, 'assets')
/** As pages name the assets; the server puts the configured directory in its place (HTT-2). */
const assetsPrefix = '/assets/'

/** Until the loader says that fonts may come, a page is drawn in the fallback faces, which have the same metrics. */
const fontsLater =
  '@media (scripting:enabled){:root:not([data-fonts]){--font-text:"Text Fallback",sans-serif;--font-display:"Display Fallback",serif}}'

rmSync(out, { recursive: true, force: true })
const [output, prerenderAll] = await Promise.all([buildForBrowser(), buildForPrerendering()])
const { scriptsOf, stylesOf, pageStyle, fontFiles, shellPages } = chunksIn(output)
const prerendered = (await Promise.all([prerenderAll('pl'), prerenderAll('en')])).flat()
rmSync(prerenderer, { recursive: true })
const buildId = nameBuild()
writePages()
writePayloads()
writeBuild()
cpSync(join(root, 'web/static'), join(out, 'static'), { recursive: true })
await compressAssets()
// Beside the browser's part, not in it: whoever runs the portal may know what it is made of, whoever visits it need not.
write(join(root, 'dist/sbom.cdx.json'), sbomText(root))

/** Hashed files, and which source became which of them. */
async function buildForBrowser() {
  const built = await build({
    root,
    logLevel: 'error',
    build: { outDir: out, assetsDir: 'assets', rolldownOptions: { input: ['web/main.tsx', 'web/styles/page.css'] } },
  })
  return (built as Rolldown.RolldownOutput).output
}

async function buildForPrerendering() {
  await build({
    root,
    logLevel: 'error',
    build: {
      outDir: prerenderer,
      ssr: 'web/prerender.tsx',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'prerender.js' } },
    },
  })
  const module = await import(pathToFileURL(join(prerenderer, 'prerender.js')).href)
  return (module as typeof import('../web/prerender.tsx')).prerenderAll
}

/** Every page with its styles and its loader inline; what is inline stands in pages.json, for the policy of the page (R64). */
function writePages() {
  const list: Record<string, { styles: string[]; scripts: string[]; preload: string[] }> = {}
  for (const { file, html: body, page } of prerendered) {
    const shell = page === 'shell'
    const own = page && !shell ? stylesOf(page).map(readStyle).join('') : ''
    const sheets = readStyle(pageStyle) + own + (page ? fontsLater : '')
    const style = page === 'setupPassword' ? withoutReferrer(sheets) : sheets
    const script = page && loaderOf(page)
    const links = shell ? shellLinks() : page ? readingLinks(page) : errorLinks(file.startsWith('pl/'))
    const head = [
      `<style>${style}</style>`,
      links.tags,
      iconLinks,
      script && `<meta name="build" content="${buildId}">`,
      configMarker,
      // The shell's script starts before its markup is read, the others' after it.
      shell && `<script>${script}</script>`,
    ]
    const html = body
      .replace('</head>', () => `${head.filter(Boolean).join('')}</head>`)
      .replace('</body>', () => `${script && !shell ? `<script>${script}</script>` : ''}</body>`)
      .replaceAll(statusMarker, statusPlace)
      .replaceAll(incidentMarker, incidentPlace)
    write(join(out, 'pages', file), html)
    list[file] = {
      styles: [style, ...(script ? [selectSheet] : [])].map(sha256),
      scripts: script ? [sha256(script)] : [],
      preload: links.preload,
    }
  }
  write(join(out, 'pages.json'), JSON.stringify(list, null, 1))
}

/** The signed-in pages share one shell, whose styles and scripts are asked for as soon as its head is read. */
function shellLinks() {
  const css = stylesOf('shell').map((file) => assetsPrefix + file)
  const js = scriptsOf('shell').map((file) => assetsPrefix + file)
  const tags = [
    ...css.map((file) => `<link rel="stylesheet" href="${file}">`),
    ...js.map((file) => `<link rel="modulepreload" href="${file}">`),
  ]
  return { tags: tags.join(''), preload: [...css, ...js] }
}

/** Sheets that are inline already: disabled links keep the chunks that belong to them from fetching them once more. */
function readingLinks(page: PageName) {
  const css = stylesOf(page).map((file) => assetsPrefix + file)
  return { tags: css.map((file) => `<link rel="stylesheet" disabled href="${file}">`).join(''), preload: [] }
}

/** An error page has no loader: its text face comes with it, and Polish asks for its second half. */
function errorLinks(polish: boolean) {
  const fonts = fontFiles.filter((file) => polish || !file.includes('-ext-')).map((file) => assetsPrefix + file)
  const tags = fonts.map((file) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${file}">`)
  return { tags: tags.join(''), preload: fonts }
}

function loaderOf(page: PageOrShell) {
  const files = scriptsOf(page)
  if (page !== 'shell') return pageLoader({ files })
  const beyondShell = (own: string[], shared: string[]) => own.filter((file) => !shared.includes(file))
  const needs = (name: PageName) => ({
    files: beyondShell(scriptsOf(name), files),
    styles: beyondShell(stylesOf(name), stylesOf('shell')),
    reads: (firstReads[name] ?? []).map(({ path }) => path),
  })
  return pageLoader({
    files,
    screens: Object.fromEntries(shellPages.map((name) => [pages[name].path, needs(name)])),
    reads: [firstReadOfAll.path],
  })
}

/** What a page is about, for whoever wants to know it without its markup (HTT-4). */
function writePayloads() {
  for (const { file, page, path } of prerendered) {
    if (!path || !page || page === 'shell') continue
    const files = scriptsOf(page).map((name) => assetsPrefix + name)
    const payload = { build: buildId, page, locale: file.split('/')[0], path, layout: pages[page].layout, files }
    write(join(out, 'payload', path, '_payload.json'), JSON.stringify(payload))
  }
}

/** The latest build and its metadata, which open pages ask for every hour (HTT-3). */
function writeBuild() {
  const text = JSON.stringify({ id: buildId, timestamp: Date.now() })
  write(join(out, 'builds/latest.json'), text)
  write(join(out, 'builds/meta', `${buildId}.json`), text)
}

/** Names what is built, not when: the same source gives the same id, and open pages are not told of news that is none. */
function nameBuild() {
  const content = [...readdirSync(assets).toSorted(), ...prerendered.map(({ html }) => html)].join('\n')
  return createHash('sha256').update(content).digest('hex').slice(0, 16)
}

/** A stylesheet as it stands inline: its files have addresses relative to the assets, and now to the page. */
function readStyle(file: string) {
  return readFileSync(join(assets, file), 'utf8')
    .trim()
    .replace(/url\((["']?)\.\//g, (_, quote: string) => `url(${quote}${assetsPrefix}`)
}

/**
 * Chromium sends the whole address of the page, token and all, as the referrer of a font that an inline sheet asks for,
 * whatever policy the page has (R10). Each such font gets a second source that says it once more, after the one for
 * browsers that do not know how.
 */
function withoutReferrer(style: string) {
  return style.replace(
    /src:url\(([^)]+)\)format\("woff2"\)/g,
    (source, address: string) => `${source};src:url("${address}" referrer-policy(no-referrer))format("woff2")`,
  )
}

async function compressAssets() {
  const names = readdirSync(assets).filter((name) => /\.(?:js|css|svg|wasm)$/.test(name))
  await Promise.all(
    names.map(async (name) => {
      const plain = readFileSync(join(assets, name))
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length }
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(plain, { params }),
        promisify(gzip)(plain, { level: 9 }),
      ])
      writeFileSync(join(assets, `${name}.br`), br)
      writeFileSync(join(assets, `${name}.gz`), gz)
    }),
  )
}

function sha256(text: string) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

function write(path: string, text: string) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
