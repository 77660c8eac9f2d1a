import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contractPdf, seal, signPdf } from '../testing/pades-authorities.ts'
import { testFile } from '../testing/peer-programs.ts'

/** Files of other projects (docs/guides/pades-corpus.md). */
const corpus = join(import.meta.dirname, '../../../shared/corpus')

function reportsBy(conditions: string[], files: readonly string[]): string[] {
  const program = join(import.meta.dirname, '../testing/report-files.ts')
  const anchors = join(corpus, 'pades/anchors')
  const { status, stdout, stderr } = spawnSync(process.execPath, [...conditions, program, anchors], {
    input: files.join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  expect([status, stderr]).toEqual([0, ''])
  return stdout.trim().split('\n')
}

test('CHK-1 what browsers get reports the same on every file as what the server runs', () => {
  // Signed here, so that the comparison is never empty.
  const own = [
    contractPdf(),
    signPdf(contractPdf()),
    signPdf(signPdf(contractPdf(), { by: seal, field: 'Pieczec' }), { timestamp: true }),
  ].map((file) => testFile(file))
  const files = [...own, ...(existsSync(corpus) ? globSync(`${corpus}/**/*.pdf`).toSorted() : [])]
  const [byNode, byBrowser] = [reportsBy([], files), reportsBy(['--conditions=browser'], files)]
  expect(byNode).toHaveLength(files.length)
  for (const [index, file] of files.entries()) expect([file, byBrowser[index]]).toEqual([file, byNode[index]])
  // The files are not all refused alike.
  expect(new Set(byNode.map((report) => report.slice(0, 20))).size).toBeGreaterThan(1)
})
