import { beforeAll, expect, test } from 'vitest'
import { putSoftware } from '../../contract/provider/provider-api.ts'
import { listSoftware, Platform, type SoftwareRelease } from '../../contract/software.ts'
import { openPortal } from '../testing/open-portal.ts'
import { openBrowser, type TestBrowser } from '../testing/browser.ts'
import { addCustomer, letIn } from '../testing/samples/ready-customers.ts'
import { sampleRelease } from '../testing/provider.ts'

let customer: TestBrowser
const portal = await openPortal()
beforeAll(async () => {
  customer = await letIn(portal, await addCustomer(portal))
})

const put = (release: string, over: Partial<SoftwareRelease>) =>
  openBrowser(portal).call(putSoftware, { params: { release }, body: { ...sampleRelease, ...over } })

test('SOF-1 without releases the list is empty', async () => {
  expect((await customer.call(listSoftware)).body).toEqual({ items: [] })
})

test('SOF-1 a release is listed with platform, version, size, checksum and both languages, as the provider put it', async () => {
  const releases: SoftwareRelease[] = [
    {
      ...sampleRelease,
      name: 'Podpis – „Sygnet” <b>',
      purpose: { pl: 'Zażółć', en: 'Sign & go' },
      bytes: 5_000_000_000,
    },
    { ...sampleRelease, platform: 'android', bytes: null, sha256: null, url: 'https://play.example/app' },
  ]
  for (const [i, release] of releases.entries()) await put(`r${i}`, release)
  const { items } = (await customer.call(listSoftware)).body
  for (const release of releases) expect(items).toContainEqual(release)
  expect(items).toHaveLength(2)
})

test('SOF-1 the newest is first within its platform, and no platform is left out', async () => {
  const dates = ['2026-03-01', '2026-05-01', '2026-04-01']
  for (const platform of Platform.options)
    for (const [i, date] of dates.entries())
      await put(`${platform}-${i}`, { platform, releasedAt: `${date}T00:00:00.000Z`, version: date })
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
  // The database has no year 0.
  expect((await put('never', { releasedAt: '0000-12-31T23:59:59.999Z', version: 'never' })).status).toBe(400)
  for (const [i, releasedAt] of ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'].entries()) {
    const { status } = await put(`far-${i}`, { releasedAt, version: releasedAt })
    expect([releasedAt, status]).toEqual([releasedAt, 200])
    const answer = await customer.call(listSoftware)
    expect([releasedAt, answer.status]).toEqual([releasedAt, 200])
    expect(answer.body.items.find(({ version }) => version === releasedAt)?.releasedAt).toBe(releasedAt)
  }
})
