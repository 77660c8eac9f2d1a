import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { has, run, testFile, testFolder } from '../../pki/testing/peer-programs.ts'
import { signedNames } from './signed-files.tsx'
import { createZip, type ArchivedFile } from './zip-archive.ts'

const files = [
  { name: 'umowa-podpisany.pdf', bytes: Buffer.from('%PDF-1.7 pierwsza') },
  { name: 'Żółć łódź-podpisany.pdf', bytes: Buffer.alloc(100_000, 7) },
  { name: 'pusty.pdf', bytes: Buffer.of() },
]

async function archived() {
  const blobs: ArchivedFile[] = files.map(({ name, bytes }) => ({
    name,
    file: new Blob([bytes]),
    read: async () => bytes,
  }))
  blobs.splice(1, 0, { name: 'zmieniony.pdf', file: new Blob(['?']), read: async () => undefined })
  return new Uint8Array(await (await createZip(blobs, new Date(2026, 10, 21, 11, 5, 8))).arrayBuffer())
}

test.skipIf(!has('python3'))('SGN-27 python3 (skipped without it) finds every file that was read, whole', async () => {
  const archive = testFile(await archived())
  const folder = testFolder()
  const program = `import sys,zipfile,json
z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None
z.extractall(sys.argv[2]); print(json.dumps([[i.filename, list(i.date_time)] for i in z.infolist()]))`
  const { output } = await run('python3', ['-c', program, archive, folder])
  expect(JSON.parse(output)).toEqual(files.map(({ name }) => [name, [2026, 11, 21, 11, 5, 8]]))
  for (const { name, bytes } of files) expect(readFileSync(join(folder, name)).equals(bytes)).toBe(true)
})

test('SGN-27 signed files are named after the files, and no name comes twice', () => {
  expect(signedNames('pl', ['umowa.pdf', 'Umowa.PDF', 'bez końcówki', 'umowa-podpisany.pdf'])).toEqual([
    'umowa-podpisany.pdf',
    'Umowa-podpisany-2.pdf',
    'bez końcówki-podpisany.pdf',
    'umowa-podpisany-podpisany.pdf',
  ])
  expect(signedNames('en', ['a.pdf', 'a.pdf', 'a.pdf'])).toEqual(['a-signed.pdf', 'a-signed-2.pdf', 'a-signed-3.pdf'])
})
