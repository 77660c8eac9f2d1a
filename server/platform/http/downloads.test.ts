import { validateHeaderValue } from 'node:http'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentDisposition } from './http.ts'
import { downloadDataExport } from '../../../contract/data-export.ts'
import { downloadSigned } from '../../../contract/documents.ts'
import { downloadRenewalAgreement, downloadRenewalCalendar } from '../../../contract/renewal.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { openCalls } from '../../testing/calls.ts'
import { expectAttachment } from '../../testing/downloads.ts'

const portal = await openPortal()
const calls = await openCalls(portal)

describe('R49 names of downloads', () => {
  const part = fc.constantFrom(
    '../../../',
    '..\\',
    '/',
    '\\',
    '\u0000',
    '\r\n',
    '\n',
    '"',
    "'",
    ';',
    '%',
    '\u202e',
    '\u200f',
    '\ufeff',
    'CON',
    'nul.',
    'ą',
    'żółć',
    '😀',
    '\ud800',
    '.',
    ' ',
    'x'.repeat(300),
    'set-cookie: a=b',
    '\t',
    '<script>',
    '*',
    '\u2028',
    '%0d%0a',
    'umowa',
  )
  const hostile = fc.array(part, { maxLength: 8 }).map((parts) => `${parts.join('')}.pdf`)

  test('R49 for every name, the header stays one header with one name without folders or controls', () => {
    fc.assert(
      fc.property(hostile, (given) => {
        const header = contentDisposition(given)
        validateHeaderValue('content-disposition', header)
        const [, ascii, extended] =
          /^attachment; filename="([\w .()-]+)"; filename\*=UTF-8''((?:[\w.!~-]|%[0-9A-F]{2})+)$/.exec(header)!
        for (const seen of [ascii!, decodeURIComponent(extended!)]) expect(seen).not.toMatch(/[\p{Cc}\p{Cf}/\\]/u)
      }),
      { numRuns: 500 },
    )
  })

  test('R49 files come as attachments that run nothing and are kept nowhere', async () => {
    // What comes late in a whole exchange, renewal or export is asked the same where that is walked.
    const late = [downloadSigned, downloadRenewalAgreement, downloadRenewalCalendar, downloadDataExport].map(
      ({ path }) => path,
    )
    const downloads = portal.app.endpoints.filter(
      ({ download, path, access }) =>
        download && access === 'customer' && !late.includes(path as (typeof late)[number]),
    )
    expect(downloads.length).toBeGreaterThan(1)
    for (const endpoint of downloads) {
      const { path, body, headers: sent } = await calls.fill(endpoint)
      const response = await calls.customer.raw(endpoint.method, path, body, sent)
      const { headers } = response
      expect((await response.bytes()).length).toBe(Number(headers.get('content-length')))
      expectAttachment(response)
      expect(endpoint.download).toContain(headers.get('content-type')!.split(';')[0])
    }
  })
})
