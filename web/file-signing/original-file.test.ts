import { openAsBlob, unlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testFile } from '../../pki/testing/peer-programs.ts'
import { readOriginal, readFirst } from './original-file.ts'
import { UnsignableFile } from './signed-file.ts'

const content = Buffer.from('%PDF-1.7 umowa')
const tail = Uint8Array.of(1, 2, 3)

test('SGN-27 a file is followed by what was appended to it', async () => {
  const file = new Blob([content])
  const { sha256 } = await readFirst(file)
  expect(Buffer.from(await readOriginal({ file, sha256 }, tail))).toEqual(Buffer.concat([content, tail]))
})

test('SGN-27 what is not the file that was chosen any more is not given out', async () => {
  const { sha256 } = await readFirst(new Blob([content]))
  const other = new Blob([Buffer.from('%PDF-1.7 inna!')])
  await expect(readOriginal({ file: other, sha256 }, tail)).rejects.toEqual(new UnsignableFile('changed'))
})

test.each([
  ['changed', (path: string) => writeFileSync(path, 'another one')],
  ['deleted', unlinkSync],
])('SGN-27 a file on the disk that was %s since is noticed', async (_, change) => {
  const path = testFile(content)
  const file = await openAsBlob(path)
  const { sha256 } = await readFirst(file)
  change(path)
  await expect(readOriginal({ file, sha256 }, tail)).rejects.toEqual(new UnsignableFile('changed'))
})
