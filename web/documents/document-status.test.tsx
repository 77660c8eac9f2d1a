import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { DocumentCase } from '../../contract/documents.ts'
import { LocaleProvider } from '../app/locale.tsx'
import { DataTable } from '../ui/table.tsx'
import { documentColumns } from './document-status.tsx'

const shown = (updatedAt: string) => {
  const document: DocumentCase = {
    id: '0b9f3a52-5b1e-4a77-9a51-6d6c3f0b1a03',
    application: 'W/2026/1008',
    document: 'U-20871',
    process: { pl: 'Umowa o podpis', en: 'Signature agreement' },
    status: 'finished',
    content: 'ready',
    createdAt: '2026-11-21T12:00:00.000Z',
    updatedAt,
    version: 1,
    isSigned: true,
    signHere: false,
    codeSentAt: null,
    codeResendAt: null,
    refusal: null,
  }
  return renderToStaticMarkup(
    <LocaleProvider locale="en">
      <DataTable
        caption={{ pl: 'Dokumenty', en: 'Documents' }}
        columns={documentColumns}
        rows={[document]}
        keyOf={({ id }) => id}
      />
    </LocaleProvider>,
  )
}

test('DOC-1 the day of the last change is shown where it is not the day on which the document was received', () => {
  expect(shown('2026-11-21T12:30:00.000Z').match(/<time/g)).toHaveLength(1)
  const changed = shown('2026-11-27T12:00:00.000Z')
  expect(changed.match(/<time/g)).toHaveLength(2)
  expect(changed).toMatch(/changed .*27\sNov\s2026/)
})
