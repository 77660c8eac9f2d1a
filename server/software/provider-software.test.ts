import { expect, test } from 'vitest'
import { deleteSoftware, putSoftware } from '../../contract/provider/provider-api.ts'
import type { SoftwareRelease } from '../../contract/software.ts'
import { openPortal } from '../testing/open-portal.ts'
import { openBrowser } from '../testing/browser.ts'
import { sampleRelease } from '../testing/provider.ts'
import { auditEntries } from '../testing/audit-entries.ts'

const portal = await openPortal({ nodes: 2 })

const put = (release: string, body: SoftwareRelease, node = 0) =>
  openBrowser(portal).call(putSoftware, { params: { release }, body }, node)
const rowsOf = async (release: string) =>
  (await portal.owner.query<Record<string, unknown>>('select * from software where provider_id = $1', [release])).rows
const newId = () => `r-${crypto.randomUUID()}`

test('OPS-4 SOF-1 a release is created, replaced by a later PUT, and removed, under the provider’s own id', async () => {
  const id = newId()
  expect(await put(id, sampleRelease)).toMatchObject({ status: 200, body: sampleRelease })
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => put(id, { ...sampleRelease, version: '2.0' }, i % 2)),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await rowsOf(id)).toMatchObject([{ version: '2.0', platform: 'windows' }])
  const remove = () => openBrowser(portal).call(deleteSoftware, { params: { release: id } })
  expect([(await remove()).status, (await remove()).status]).toEqual([204, 204])
  expect(await rowsOf(id)).toEqual([])
  expect(await auditEntries(portal, { action: 'software-removed', details: { release: id } })).toHaveLength(1)
})

test('OPS-4 SOF-1 a store link has neither size nor checksum, and a size may exceed 4 GB', async () => {
  const id = newId()
  const store = {
    ...sampleRelease,
    platform: 'ios',
    bytes: null,
    sha256: null,
    url: 'https://apps.example/id1',
  } as const
  expect((await put(id, store)).body).toEqual(store)
  const huge = { ...sampleRelease, bytes: 5_000_000_000 }
  expect((await put(id, huge)).body).toEqual(huge)
})

test('OPS-4 R66 R76 a link leads to HTTPS or to a file of the portal, never to a script or a misleading address', async () => {
  for (const url of ['https://downloads.example/a%20b.exe?x=1#y', '/demo/downloads/app.exe'])
    expect([url, (await put(newId(), { ...sampleRelease, url })).status]).toEqual([url, 200])
  const hostile = [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'http://downloads.example/a',
    'ftp://x.example/a',
    '//evil.example/a.exe',
    String.raw`/\evil.example/a.exe`,
    String.raw`\\evil.example\a`,
    'https:/evil',
    'https:evil.example',
    'app.exe',
    ' https://x.example',
    'https://x.example/a b',
    'https://x.example/\u0000',
    '',
    `https://x.example/${'x'.repeat(500)}`,
  ]
  for (const url of hostile) {
    const id = newId()
    expect([url, (await put(id, { ...sampleRelease, url })).status]).toEqual([url, 400])
    expect(await rowsOf(id)).toEqual([])
  }
})

test('OPS-4 a malformed release is refused, and nothing is stored', async () => {
  const wrong: object[] = [
    { platform: 'amiga' },
    { name: '' },
    { name: 'x'.repeat(101) },
    { name: 'a\u0000b' },
    { version: '' },
    { purpose: { pl: 'tylko po polsku' } },
    { purpose: { pl: 'a', en: 'b', de: 'c' } },
    { releasedAt: '2026-01-02' },
    { releasedAt: '2026-13-02T03:04:05.678Z' },
    { releasedAt: '2026-01-02T03:04:05.678+01:00' },
    { bytes: 0 },
    { bytes: 1.5 },
    { bytes: '1024' },
    { sha256: 'A'.repeat(64) },
    { sha256: 'a'.repeat(63) },
  ]
  for (const over of wrong) {
    const id = newId()
    expect([over, (await put(id, { ...sampleRelease, ...over })).status]).toEqual([over, 400])
    expect(await rowsOf(id)).toEqual([])
  }
})
