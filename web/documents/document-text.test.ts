import { expect, test } from 'vitest'
import { fileName } from './document-text.ts'

test.each([
  ['U-20871', 'dokument-U-20871-zaszyfrowany.pdf'],
  ['SYG/2026/11/0482', 'dokument-SYG-2026-11-0482-zaszyfrowany.pdf'],
  ['../../etc/passwd\0', 'dokument-etc-passwd-zaszyfrowany.pdf'],
  ['\u202efdp.exe "CON"', 'dokument-fdp-exe-CON-zaszyfrowany.pdf'],
  ['///', 'dokument-zaszyfrowany.pdf'],
])('R49 DOC-3 of the document %j every system takes the name of the file', (document, name) => {
  expect(fileName('pl', { document }, 'encrypted')).toBe(name)
})

test('DOC-3 DOC-6 DOC-9 the names distinguish the encrypted, the plain and the signed file in both languages', () => {
  const names = (['pl', 'en'] as const).flatMap((locale) =>
    (['encrypted', 'plain', 'signed'] as const).map((kind) => fileName(locale, { document: 'U-1' }, kind)),
  )
  expect(names).toEqual([
    'dokument-U-1-zaszyfrowany.pdf',
    'dokument-U-1-do-podpisu.pdf',
    'dokument-U-1-podpisany.pdf',
    'document-U-1-encrypted.pdf',
    'document-U-1-to-sign.pdf',
    'document-U-1-signed.pdf',
  ])
})
