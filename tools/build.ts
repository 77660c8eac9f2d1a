import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { configMarker, incidentMarker, incidentPlace, statusMarker, statusPlace } from '../contract/page-markers.ts'
import { pages, type PageName } from '../contract/pages.ts'
import { firstReadOfAll, firstReads } from '../web/first-reads.ts'
import { pageLoader } from './page-loader.ts'

const root = join(import.meta.dirname, '..')
const out = join(root, 'dist/web')
const assets = join(out, 'assets')
const prerenderer = join(root, 'dist/prerender')
const assetsPrefix = '/assets/'

/** Until the loader or the script says that fonts may come, the shell is drawn in the fallback faces, which have the same metrics. */
const fontsLater =
  ':root:not([data-fonts]){--font-text:"Text Fallback",sans-serif;--font-display:"Display Fallback",serif}'

const sha256 = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
const write = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

rmSync(out, { recursive: true, force: true })
const [output, prerenderAll] = await Promise.all([buildForBrowser(), buildForPrerendering()])
const prerendered = (await Promise.all([prerenderAll('pl'), prerenderAll('en')])).flat()
rmSync(prerenderer, { recursive: true })
const pageStyle = readStyle(
  output.find((file) => file.type === 'asset' && file.originalFileNames.includes('web/styles/page.css'))!.fileName,
)
const buildId = nameBuild()
writePages()
writePayloads()
writeBuild()
cpSync(join(root, 'web/static'), join(out, 'static'), { recursive: true })
await compressAssets()

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
    publicDir: false,
    build: {
      outDir: prerenderer,
      ssr: 'web/prerender.tsx',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'prerender.js' } },
    },
  })
  const module = (await import(
    pathToFileURL(join(prerenderer, 'prerender.js')).href
  )) as typeof import('../web/prerender.tsx')
  return module.prerenderAll
}

type Inline = { styles: string[]; scripts: string[]; preload: string[] }

/** Every page with its styles and its loader inline; what is inline stands in pages.json, for the policy of the page (R64). */
function writePages() {
  const list: Record<string, Inline> = {}
  for (const { file, html: body, page } of prerendered) {
    const sheets = pageStyle + (page === 'shell' ? fontsLater : page ? stylesOf(page).map(readStyle).join('') : '')
    const style = page === 'setupPassword' ? withoutReferrer(sheets) : sheets
    const script = page && loaderOf(page)
    const links = page === 'shell' ? shellLinks() : inlinedLinks(page)
    const head = [
      `<style>${style}</style>`,
      links.tags,
      '<link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="icon" href="/favicon.ico" sizes="32x32">',
      script && `<meta name="build" content="${buildId}">`,
      configMarker,
      // The shell's script starts before its markup is read, the others' after it.
      page === 'shell' && `<script>${script}</script>`,
    ]
    const html = body
      .replace('</head>', () => `${head.filter(Boolean).join('')}</head>`)
      .replace('</body>', () => `${script && page !== 'shell' ? `<script>${script}</script>` : ''}</body>`)
      .replaceAll(statusMarker, statusPlace)
      .replaceAll(incidentMarker, incidentPlace)
    write(join(out, 'pages', file), html)
    list[file] = { styles: [sha256(style)], scripts: script ? [sha256(script)] : [], preload: links.preload }
  }
  write(join(out, 'pages.json'), JSON.stringify(list, null, 1))
}

/** The signed-in pages share one shell, whose styles and scripts are asked for as soon as its head is read. */
function shellLinks() {
  const css = stylesOf('shell').map((file) => `/${file}`)
  const js = filesOf('shell').map((file) => assetsPrefix + file)
  const tags = [
    ...css.map((file) => `<link rel="stylesheet" href="${file}">`),
    ...js.map((file) => `<link rel="modulepreload" href="${file}">`),
  ]
  return { tags: tags.join(''), preload: [...css, ...js] }
}

/** Sheets that are inline already: disabled links keep the chunks that belong to them from fetching them once more. */
function inlinedLinks(page: PageName | undefined) {
  const css = page ? stylesOf(page) : []
  return { tags: css.map((file) => `<link rel="stylesheet" disabled href="/${file}">`).join(''), preload: [] }
}

/** What a page is about, for whoever wants to know it without its markup (HTT-4). */
function writePayloads() {
  for (const { file, page, path } of prerendered) {
    if (!path || !page || page === 'shell') continue
    const [locale] = file.split('/')
    const payload = {
      build: buildId,
      page,
      locale,
      path,
      layout: pages[page].layout,
      files: filesOf(page).map((name) => assetsPrefix + name),
    }
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

function kebab(name: string) {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** A page's screen is the file named after it; a page without one has no server yet, and says so. */
function screenOf(name: PageName) {
  return chunkWith(new RegExp(`/web/\\w+/${kebab(name)}-screen\\.tsx$`)) ?? chunkWith(/\/feature-unavailable\.tsx$/)!
}

function chunkWith(source: RegExp) {
  return output.find(
    (file): file is Rolldown.OutputChunk => file.type === 'chunk' && file.moduleIds.some((id) => source.test(id)),
  )
}

/** The chunks that a page needs, the entry first. */
function chunksOf(page: PageName | 'shell') {
  const wanted = new Set([
    chunkWith(/\/web\/main\.tsx$/)!,
    page === 'shell' ? chunkWith(/\/default-layout\.tsx$/)! : screenOf(page),
  ])
  for (const { imports } of wanted)
    for (const other of output) if (other.type === 'chunk' && imports.includes(other.fileName)) wanted.add(other)
  return [...wanted]
}

/** Their stylesheets, as Vite collected them. */
function stylesOf(page: PageName | 'shell') {
  return chunksOf(page).flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])])
}

function filesOf(page: PageName | 'shell') {
  return chunksOf(page).map(({ fileName }) => inAssets(fileName))
}

function inAssets(file: string) {
  return file.replace('assets/', '')
}

function loaderOf(page: PageName | 'shell') {
  const files = filesOf(page)
  if (page !== 'shell') return pageLoader({ files })
  const names = (Object.keys(pages) as PageName[]).filter((name) => pages[name].protected)
  const beyondShell = (own: string[], shared: string[]) => own.filter((file) => !shared.includes(file))
  const needs = (name: PageName) => ({
    files: beyondShell(filesOf(name), files),
    styles: beyondShell(stylesOf(name), stylesOf('shell')).map(inAssets),
    reads: (firstReads[name] ?? []).map(({ path }) => path),
  })
  return pageLoader({
    files,
    screens: Object.fromEntries(names.map((name) => [pages[name].path, needs(name)])),
    reads: [firstReadOfAll.path],
  })
}

/** A stylesheet as it stands inline: its files have addresses relative to the assets, and now to the page. */
function readStyle(file: string) {
  return readFileSync(join(out, file), 'utf8')
    .trim()
    .replace(/url\((["']?)\.\//g, (_, quote: string) => `url(${quote}${assetsPrefix}`)
}

/**
 * Chromium sends the whole address of the page, token and all, as the referrer of a font that an inline sheet asks for,
 * whatever policy the page has (R10). Each such font gets a second source that says it once more, after the one for
 * browsers that do not know how.
 */
function withoutReferrer(style: string) {
  return style.replace(/src:url\(([^)]+)\)format\("woff2"\)/g, (source, address: string) => `${source};src:url("${address}" referrer-policy(no-referrer))format("woff2")`)
}

async function compressAssets() {
  const names = readdirSync(assets).filter((name) => /\.(?:js|css|svg|wasm)$/.test(name))
  await Promise.all(
    names.map(async (name) => {
      const plain = readFileSync(join(assets, name))
      const quality = {
        params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
      }
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(plain, quality),
        promisify(gzip)(plain, { level: 9 }),
      ])
      writeFileSync(join(assets, `${name}.br`), br)
      writeFileSync(join(assets, `${name}.gz`), gz)
    }),
  )
}
