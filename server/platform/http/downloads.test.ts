import { validateHeaderValue } from 'node:http'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentDisposition } from './http.ts'
import { downloadDataExport } from '../../../contract/data-export.ts'
import { downloadSigned } from '../../../contract/documents.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { downloadRenewalAgreement, downloadRenewalCalendar } from '../../../contract/renewal.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { openCalls } from '../../testing/calls.ts'
import { expectAttachment } from '../../testing/web.ts'

const portal = await openPortal()
const calls = await openCalls(portal)

describe('R49 names of downloads', () => {
  const signs = [...'/\\\0\n"\';%. \t*', '\u202e', '\u200f', '\ufeff', '\u2028', '\ud800', '\r\n', '%0d%0a']
  const names = ['../../../', '..\\', 'CON', 'nul.', 'ą', 'żółć', '😀', 'set-cookie: a=b', '<script>', 'umowa']
  const part = fc.constantFrom(...signs, ...names, 'x'.repeat(300))
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
    const late: Endpoint[] = [downloadSigned, downloadRenewalAgreement, downloadRenewalCalendar, downloadDataExport]
    const downloads = portal.app.endpoints.filter(
      (endpoint) => endpoint.download && endpoint.access === 'customer' && !late.includes(endpoint),
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
