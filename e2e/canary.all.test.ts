import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openAuthority } from '../provider/authority/authority.ts'
import { dumpDatabase, readFiles, findIn, holdsAny } from '../server/testing/samples/canaries.ts'
import {
  unreachableHost,
  guest,
  journeys,
  newPhone,
  numbers,
  person,
  visitor,
  type Secrets,
} from './testing/canary-journeys.ts'
import { openPortal } from './testing/open-portal.ts'
import { openProviderClient } from './testing/portal-calls.ts'

const portal = await openPortal({ LOG_LEVEL: 'trace', WEBHOOK_HOSTS: unreachableHost })

/** Records what leaves a page or remains after it: addresses, referrers, response headers, titles, and browser storage. */
async function observe(page: Page) {
  const seen: Record<'urls' | 'referrers' | 'headers' | 'titles' | 'kept', string[]> = {
    urls: [],
    referrers: [],
    headers: [],
    titles: [],
    kept: [],
  }
  const reading: Promise<unknown>[] = []
  // The headers of a request cannot be read after its page has closed.
  const read = <T>(value: Promise<T>, use: (value: T) => void) => void reading.push(value.then(use, () => {}))
  page.context().on('request', (request) => {
    seen.urls.push(request.url())
    read(request.allHeaders(), ({ referer = '' }) => seen.referrers.push(referer))
  })
  page.context().on('response', (response) => {
    read(response.allHeaders(), (headers) => seen.headers.push(JSON.stringify(headers)))
  })
  await page.exposeFunction('sawTitle', (title: string) => void seen.titles.push(title))
  await page.addInitScript(() => {
    let lastTitle: string | undefined
    const report = () => {
      if (document.title === lastTitle) return
      lastTitle = document.title
      ;(globalThis as unknown as { sawTitle: (title: string) => void }).sawTitle(lastTitle)
    }
    new MutationObserver(report).observe(document, { subtree: true, childList: true, characterData: true })
  })
  return {
    seen,
    /** Records what the browser stores between one journey and the next. */
    recordStorage: async () => {
      seen.kept.push(
        await page.evaluate(() =>
          JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href]),
        ),
      )
    },
    settle: () => Promise.all(reading),
  }
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

test('R3 R86 no number, password or code of many journeys is in a log, an address or at rest', async () => {
  const provider = await openProviderClient(portal)
  const authority = await openAuthority({
    directory: join(portal.directory, 'canary-authority'),
    baseUrl: 'http://pki.example',
    now: () => new Date(),
  })
  const documents = join(portal.directory, 'documents')
  /** The demonstration's own entries, which existed before. */
  const known = new Set(filesIn(documents))
  const page = await portal.openPage({ alone: true })
  const { seen, recordStorage: look, settle } = await observe(page)
  const secrets: Secrets = new Map([['client key 0', provider.clientKey]])
  const keep = (what: string, secret: string) => {
    secrets.set(`${what} ${secrets.size}`, secret)
    return secret
  }
  /** The contents of the database after each journey. Most of it stays the same and is searched only once. */
  const rows = new Set<string>()
  for (const walk of journeys) {
    await walk({ page, run: portal, provider, authority, keep })
    if (page.url().startsWith(portal.origin)) await look()
    for (const row of (await dumpDatabase(portal.owner)).split('\n')) rows.add(row)
  }
  await settle()

  const log = portal.output()
  const events = log.split('\n').filter((line) => line.startsWith('{'))
  expect(events.length).toBeGreaterThan(200)
  expect(seen.urls.length).toBeGreaterThan(100)
  expect(new Set(seen.titles).size).toBeGreaterThan(5)
  expect(secrets.size).toBeGreaterThanOrEqual(12)

  // Each mail's link is opened once, and its token is in no other address (R10).
  const links = [...secrets].filter(([what]) => what.startsWith('link'))
  for (const [what, token] of links)
    expect([what, seen.urls.filter((url) => url.includes(token)).length]).toEqual([what, 1])
  const elsewhere = seen.urls.filter((url) => !links.some(([, token]) => url.includes(token)))

  const added = filesIn(documents).filter((path) => !known.has(path))
  expect(added.length).toBeGreaterThan(3)
  const rest = {
    database: [...rows].join('\n'),
    disk: await readFiles(portal.owner),
    // What is just being uploaded may have got its own name since.
    documents: added.map((path) => (existsSync(path) ? readFileSync(path, 'latin1') : '')).join('\n'),
  }
  const sources = {
    log,
    addresses: elsewhere.join('\n'),
    referrers: seen.referrers.join('\n'),
    titles: seen.titles.join('\n'),
    headers: seen.headers.join('\n'),
    'what the browser keeps': seen.kept.join('\n'),
  }
  const found: string[] = []
  const search = (canaries: [what: string, canary: string][], where: Record<string, string>) => {
    const all = canaries.map(([, canary]) => canary)
    for (const [source, text] of Object.entries(where).filter(([, each]) => holdsAny(each, all)))
      for (const [what, canary] of canaries)
        for (const spelling of findIn(text, canary)) found.push(`${what} in ${source} as ${spelling}`)
  }
  const { locale: _, secondName: __, ...particulars } = person
  const invited = Object.entries(guest).map(([name, value]): [string, string] => [`${name} of the guest`, value])
  const visiting = Object.entries(visitor).map(([name, value]): [string, string] => [`${name} of the visitor`, value])
  search(
    [...Object.entries({ ...particulars, ...numbers, 'new phone': newPhone }), ...invited, ...visiting, ...secrets],
    sources,
  )
  // Names, login and e-mail are stored unencrypted, because accounts are found and sorted by them (decision 0033).
  search(
    [
      ...Object.entries({ phone: person.phone, 'new phone': newPhone, 'phone of the guest': guest.phone, ...numbers }),
      ...Object.entries({ 'phone of the visitor': visitor.phone, 'mistyped phone': visitor.mistyped }),
      ...secrets,
    ],
    rest,
  )
  // The search itself works: it finds them.
  expect(holdsAny(rest.database, [unreachableHost, person.email])).toBe(true)
  for (const copy of [rest.database, rest.disk]) expect(findIn(copy, person.email)).not.toEqual([])
  expect(found).toEqual([])
})
