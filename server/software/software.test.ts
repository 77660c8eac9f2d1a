import { expect, test } from 'vitest'
import { removeSoftware, putSoftware } from '../../contract/provider/provider-software.ts'
import { listSoftware, Platform, type SoftwareRelease } from '../../contract/software.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { openBrowser } from '../testing/browser.ts'
import { openPortal } from '../testing/open-portal.ts'
import { sampleRelease } from '../testing/provider.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'

const portal = await openPortal({ nodes: 2 })
const customer = await signInDirectly(portal, await addCustomer(portal))

const put = (release: string, body: SoftwareRelease, node = 0) =>
  openBrowser(portal).call(putSoftware, { params: { release }, body }, node)
const rowsOf = (release: string) => portal.rows('select * from software where provider_id = $1', [release])
const newId = () => `r-${crypto.randomUUID()}`

test('SOF-1 a release is listed with all that the provider put, in both languages', async () => {
  await portal.owner.query('delete from software')
  expect((await customer.call(listSoftware)).body).toEqual({ items: [] })
  const purpose = { pl: 'Zażółć', en: 'Sign & go' }
  const releases: SoftwareRelease[] = [
    { ...sampleRelease, name: 'Podpis – „Sygnet” <b>', purpose, bytes: 5_000_000_000 },
    { ...sampleRelease, platform: 'android', bytes: null, sha256: null, url: 'https://play.example/app' },
  ]
  for (const [i, release] of releases.entries()) await put(`r${i}`, release)
  const { items } = (await customer.call(listSoftware)).body
  for (const release of releases) expect(items).toContainEqual(release)
  expect(items).toHaveLength(2)
})

test('OPS-4 SOF-1 a release is created, replaced and removed, under the provider’s own id', async () => {
  const id = newId()
  expect(await put(id, sampleRelease)).toMatchObject({ status: 200, body: sampleRelease })
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => put(id, { ...sampleRelease, version: '2.0' }, i % 2)),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await rowsOf(id)).toMatchObject([{ version: '2.0', platform: 'windows' }])
  const remove = () => openBrowser(portal).call(removeSoftware, { params: { release: id } })
  expect([(await remove()).status, (await remove()).status]).toEqual([204, 204])
  expect(await rowsOf(id)).toEqual([])
  expect(await auditEntries(portal, { action: 'software-removed', details: { release: id } })).toHaveLength(1)
})

test('OPS-4 R66 a link leads to HTTPS or a file of the portal; nothing malformed is stored', async () => {
  for (const url of ['https://downloads.example/a%20b.exe?x=1#y', '/demo/downloads/app.exe'])
    expect([url, (await put(newId(), { ...sampleRelease, url })).status]).toEqual([url, 200])
  const scripts = ['javascript:alert(1)', 'JavaScript:alert(1)', 'data:text/html,x']
  const insecure = ['http://downloads.example/a', 'ftp://x.example/a', '//evil.example/a.exe']
  const backslashes = [String.raw`/\evil.example/a.exe`, String.raw`\\evil.example\a`]
  const malformed = ['https:/evil', 'https:evil.example', 'app.exe', ' https://x.example', 'https://x.example/a b', '']
  const unstorable = ['https://x.example/\u0000', `https://x.example/${'x'.repeat(500)}`]
  const wrong: object[] = [
    ...[...scripts, ...insecure, ...backslashes, ...malformed, ...unstorable].map((url) => ({ url })),
    { platform: 'amiga' },
    { name: 'a\u0000b' },
    { purpose: { pl: 'tylko po polsku' } },
    { releasedAt: '2026-13-02T03:04:05.678Z' },
    // The database has no year 0.
    { releasedAt: '0000-12-31T23:59:59.999Z' },
    { bytes: 1.5 },
    { sha256: 'A'.repeat(64) },
  ]
  for (const over of wrong) {
    const id = newId()
    expect([over, (await put(id, { ...sampleRelease, ...over })).status]).toEqual([over, 400])
    expect(await rowsOf(id)).toEqual([])
  }
})

test('SOF-1 the newest is first within its platform, and no platform is left out', async () => {
  const dates = ['2026-03-01', '2026-05-01', '2026-04-01']
  for (const platform of Platform.options)
    for (const [i, date] of dates.entries())
      await put(`${platform}-${i}`, { ...sampleRelease, platform, releasedAt: `${date}T00:00:00.000Z`, version: date })
  const { items } = (await customer.call(listSoftware)).body
  for (const platform of Platform.options) {
    const versions = items
      .filter((release) => release.platform === platform && dates.includes(release.version))
      .map(({ version }) => version)
    expect([platform, versions]).toEqual([platform, ['2026-05-01', '2026-04-01', '2026-03-01']])
  }
  const runs = items.map(({ platform }) => platform).filter((platform, i, all) => platform !== all[i - 1])
  expect(new Set(runs).size).toBe(runs.length)
})

test('SOF-1 a date in the distant past or future does not break the list', async () => {
  for (const [i, releasedAt] of ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'].entries()) {
    const { status } = await put(`far-${i}`, { ...sampleRelease, releasedAt, version: releasedAt })
    expect([releasedAt, status]).toEqual([releasedAt, 200])
    const answer = await customer.call(listSoftware)
    expect([releasedAt, answer.status]).toEqual([releasedAt, 200])
    expect(answer.body.items.find(({ version }) => version === releasedAt)?.releasedAt).toBe(releasedAt)
  }
})
