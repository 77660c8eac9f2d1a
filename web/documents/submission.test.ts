import { expect, test } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { inspectSubmission } from './submission.ts'

const pdf = (content: string, name = 'umowa.pdf') => new File([`%PDF-1.7\n${content}`], name)

test('DOC-5 a signed PDF is taken as it is, with an ending in capitals too', async () => {
  const file = pdf('<< /Type /Sig /ByteRange [0 1 2 3] >>', 'UMOWA.PDF')
  const found = await inspectSubmission(file)
  expect(found).toMatchObject({ name: 'UMOWA.PDF', hasSignature: true, isEncrypted: false })
  expect(await (found as { content: Blob }).content.text()).toBe(await file.text())
})

test('DOC-8 a PDF without a signature, or an encrypted one, is accepted, and distinguished', async () => {
  expect(await inspectSubmission(pdf('<< /Type /Catalog >>'))).toMatchObject({
    hasSignature: false,
    isEncrypted: false,
  })
  expect(await inspectSubmission(pdf('<< /Encrypt 7 0 R >>'))).toMatchObject({ hasSignature: false, isEncrypted: true })
})

test.each([
  ['another ending', new File(['%PDF-1.7'], 'umowa.docx')],
  ['another beginning', new File(['PK\u0003\u0004 %PDF-1.7'], 'umowa.pdf')],
  ['nothing in it', new File([], 'umowa.pdf')],
])('DOC-5 DOC-7 a file with %s is refused as not a PDF', async (_what, file) => {
  expect(await inspectSubmission(file)).toEqual({
    problem: { pl: 'Wybierz plik PDF.', en: 'Only PDF files are allowed' },
  })
})

test('DOC-5 DOC-7 ten megabytes are taken, and a byte more is refused with the size it has', async () => {
  const most = limits.http.pdfBytes
  const filled = (bytes: number) => new File(['%PDF-', new Uint8Array(bytes - 5)], 'umowa.pdf')
  expect(await inspectSubmission(filled(most))).toMatchObject({ name: 'umowa.pdf' })
  expect(await inspectSubmission(filled(most + 1))).toEqual({
    problem: {
      pl: 'Plik ma 10,1\u00a0MB. Wybierz plik do\u00a010\u00a0MB.',
      en: 'The file is too large. Maximum size is 10MB',
    },
  })
})

test('DOC-7 a file that is gone from the disk must be chosen again', async () => {
  const gone = Object.assign(pdf(''), {
    arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')),
  })
  expect(await inspectSubmission(gone)).toMatchObject({
    problem: { en: 'We couldn’t read this file. Choose it again.' },
  })
})
