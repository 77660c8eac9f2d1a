import { execSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { keysOf } from '../contract/enums.ts'
import { pages, payloadPath, type PageName, type PagePayload, framePaths } from '../contract/pages.ts'
import type { BuiltPages } from '../server/platform/pages/page-documents.ts'
import { buildDesk } from './build-desk.ts'
import { chunksIn } from './built-chunks.ts'
import { linkStyle, pageLoader } from './page-loader.ts'

// `npm run build`: the browser's part as the server serves it in `dist/web`, and the SBOM.

const root = join(import.meta.dirname, '..')
const out = join(root, 'dist/web')
/** The folder of the screens for the server, which renders the pages (HTT-4, HTT-7). */
const render = join(root, 'dist/render')
const assets = join(out, 'assets')

/**
 * Style that makes a page use the fallback fonts, which have the same metrics, until the loader lets fonts load. A font that the first
 * layout needs is fetched before the first paint and competes with it.
 */
const fontsLater =
  '@media (scripting:enabled){:root:not([data-fonts]){--font-text:"Text Fallback",sans-serif;--font-display:"Display Fallback",serif;--font-mono:"Code Fallback",monospace}}'

/**
 * 42 bits of a hash, the least that the bundler allows: each page's loader names a hundred files, and what is random in
 * their names cannot be compressed.
 */
const hashed = 'assets/[name]-[hash:7]'

rmSync(out, { recursive: true, force: true })
const [output] = await Promise.all([buildForBrowser(), buildForRendering(), buildDesk()])
const { scriptsOf, arrivalScripts, stylesOf, pageStyle, fontFiles } = chunksIn(output)
const parts = {
  pages: Object.fromEntries(keysOf(pages).map((page) => [page, partsOf(page)])) as BuiltPages['pages'],
  errors: { style: readStyle(pageStyle), fonts: fontFiles },
}
const buildId = nameBuild()
write(join(out, 'pages.json'), JSON.stringify({ build: buildId, ...parts } satisfies BuiltPages, null, 1))
writePayloads()
writeBuild()
cpSync(join(root, 'web/static'), join(out, 'static'), { recursive: true })
cpSync(join(root, 'node_modules/country-flag-icons/3x2'), join(out, 'static/flags'), {
  recursive: true,
  filter: (path) => !/\.(?:css|zip)$/.test(path),
})
await writeServiceWorker()
await compressAssets()
writeSbom()

/**
 * Writes npm's SBOM (R88), which is for the operator and therefore not in the part that is served. Without it the portal still builds: npm
 * has had the command only since version 10.
 */
function writeSbom() {
  const file = join(root, 'dist/sbom.cdx.json')
  rmSync(file, { force: true })
  try {
    write(file, execSync('npm run --silent sbom', { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, stdio: 'pipe' }))
  } catch (error) {
    console.error(`The build has no SBOM (dist/sbom.cdx.json). ${(error as Error).message}`)
  }
}

/** Builds the hashed files, and returns the output, which names the source of each file. */
async function buildForBrowser() {
  const built = await build({
    root,
    logLevel: 'error',
    build: {
      outDir: out,
      rolldownOptions: {
        input: ['web/start/main.tsx', 'web/styles/page.css'],
        output: {
          entryFileNames: `${hashed}.js`,
          chunkFileNames: `${hashed}.js`,
          assetFileNames: `${hashed}[extname]`,
        },
      },
    },
  })
  return (built as Rolldown.RolldownOutput).output
}

async function buildForRendering() {
  await build({
    root,
    logLevel: 'error',
    // One React, for production, in any environment of the server.
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: { noExternal: true },
    build: {
      outDir: render,
      ssr: true,
      minify: false,
      rolldownOptions: {
        input: 'web/start/render-page.tsx',
        output: { entryFileNames: '[name].js', chunkFileNames: 'parts/[name].js' },
      },
    },
  })
}

/** Returns the parts of a page's head that the build makes: its styles and its loader, both inline (R64). */
function partsOf(page: PageName): BuiltPages['pages'][PageName] {
  const sheets = stylesOf(page)
  const style =
    readStyle(pageStyle) + sheets.map(readStyle).join('') + fontsLater + (page === 'lostPhone' ? linkStyle : '')
  const loader = pageLoader({
    files: scriptsOf(page),
    keepsFonts: pages[page].needsSignIn,
    arrival: page === 'login' || page === 'lostPhone' ? { on: page, files: [arrivalScripts[page]] } : undefined,
  })
  return { style: page === 'setupPassword' ? withoutReferrer(style) : style, sheets, loader }
}

/** Writes, for each page that needs no session, the build, page and language to which a link leads (HTT-4, HTT-6). */
function writePayloads() {
  for (const page of keysOf(pages).filter((name) => !pages[name].needsSignIn))
    for (const locale of ['pl', 'en'] as const) {
      const payload: PagePayload = { build: buildId, page, locale }
      write(join(out, 'payload', payloadPath(locale, page)), JSON.stringify(payload))
    }
}

/** Writes the latest build and its metadata, which open pages read every hour (HTT-3). */
function writeBuild() {
  // A release has the time of its commit, so that it can be built again (reproducible-builds.org).
  const seconds = process.env['SOURCE_DATE_EPOCH']
  const text = JSON.stringify({ id: buildId, timestamp: seconds ? Number(seconds) * 1000 : Date.now() })
  write(join(out, 'builds/latest.json'), text)
  write(join(out, 'builds/meta', `${buildId}.json`), text)
}

/**
 * Writes the service worker: one file without imports, which knows its build (OFF-1). It is not hashed: browsers look for a newer one at
 * its address.
 */
async function writeServiceWorker() {
  // Not the workers that read and decrypt PDFs, which need the network's files, nor fonts of letters that are rare, or rare in codes.
  const files = readdirSync(assets).filter((name) =>
    /\.(?:js|css)$/.test(name) ? !name.includes('-worker-') : /(?<!latin-ext|mono-latin)-wght.*\.woff2$/.test(name),
  )
  const portalBuild = { id: buildId, ...framePaths, files: files.toSorted() }
  const built = await build({
    configFile: false,
    root,
    logLevel: 'error',
    define: { portalBuild: JSON.stringify(portalBuild) },
    build: {
      write: false,
      target: 'es2023',
      rolldownOptions: { input: 'web/offline/service-worker.ts', output: { format: 'iife' } },
    },
  })
  const [file] = (built as Rolldown.RolldownOutput).output
  write(join(out, 'service-worker.js'), file.code)
}

/** Names the build by what is built, not when: the same source has the same id, and open pages offer no needless update. */
function nameBuild() {
  const rendering = readdirSync(render, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .toSorted()
  const content = [
    ...readdirSync(assets).toSorted(),
    ...rendering.map((name) => readFileSync(join(render, name), 'utf8')),
    JSON.stringify(parts),
  ]
  return hash('sha256', content.join('\n')).slice(0, 16)
}

/**
 * Reads a stylesheet that will be inlined. Its addresses stay relative to the assets (`url(./…)`); the server knows where these are
 * (HTT-2).
 */
function readStyle(file: string) {
  return readFileSync(join(assets, file), 'utf8').trim()
}

/**
 * Adds a second source with its own referrer policy to each font of an inline sheet, after the one for browsers that do not support it.
 * Otherwise Chromium sends the whole address of the page, including a token, as the referrer of the font, regardless of the page's policy
 * (R10).
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

function write(path: string, text: string) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
