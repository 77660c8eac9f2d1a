import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openAuthority } from '../provider/authority.ts'
import { dumpOf, filesOf, findIn, holdsAny } from '../server/testing/canaries.ts'
import { deafHost, guest, journeys, newPhone, numbers, person, visitor, type Secrets } from './canary-journeys.ts'
import { openPortal } from './open-portal.ts'
import { enterAsProvider } from './provider-entrance.ts'

const portal = await openPortal({ LOG_LEVEL: 'trace', WEBHOOK_HOSTS: deafHost })

/** What of a page leaves it or stays behind it: addresses, referrers, headers of answers, titles, and what the browser keeps. */
async function observe(page: Page) {
  const seen: Record<'urls' | 'referrers' | 'headers' | 'titles' | 'kept', string[]> = {
    urls: [],
    referrers: [],
    headers: [],
    titles: [],
    kept: [],
  }
  const reading: Promise<unknown>[] = []
  page.context().on('request', (request) => {
    seen.urls.push(request.url())
    reading.push(request.allHeaders().then(({ referer }) => seen.referrers.push(referer ?? '')))
  })
  page.context().on('response', (response) => {
    reading.push(response.allHeaders().then((headers) => seen.headers.push(JSON.stringify(headers))))
  })
  await page.exposeFunction('sawTitle', (title: string) => void seen.titles.push(title))
  await page.addInitScript(() => {
    let told: string | undefined
    const tell = () => {
      if (document.title === told) return
      told = document.title
      ;(globalThis as unknown as { sawTitle: (title: string) => void }).sawTitle(told)
    }
    new MutationObserver(tell).observe(document, { subtree: true, childList: true, characterData: true })
  })
  return {
    seen,
    /** What lies in the browser between one journey and the next. */
    look: async () => {
      seen.kept.push(
        await page.evaluate(() =>
          JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href]),
        ),
      )
    },
    settle: () => Promise.allSettled(reading),
  }
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

test(
  'R3 R86 over a whole run of customers’ journeys no number, address, password or code is found in a log, an address, a title, a header or at rest',
  { timeout: 300_000 },
  async () => {
    const provider = await enterAsProvider(portal)
    const authority = await openAuthority({
      directory: join(portal.directory, 'canary-authority'),
      baseUrl: 'http://pki.example',
      now: () => new Date(),
    })
    const documents = join(portal.directory, 'documents')
    /** The demonstration's own, which were there before. */
    const known = new Set(filesIn(documents))
    const page = await portal.openPage({ alone: true })
    const { seen, look, settle } = await observe(page)
    const secrets: Secrets = new Map([['client key 0', provider.clientKey]])
    const keep = (what: string, secret: string) => {
      secrets.set(`${what} ${secrets.size}`, secret)
      return secret
    }
    /** What lay in the database after each journey. Most lies there after each, and needs to be searched once only. */
    const rows = new Set<string>()
    for (const { walk } of journeys) {
      await walk({ page, run: portal, provider, authority, keep })
      if (page.url().startsWith(portal.origin)) await look()
      for (const row of (await dumpOf(portal.owner)).split('\n')) rows.add(row)
    }
    await settle()

    const log = portal.said()
    const events = log.split('\n').filter((line) => line.startsWith('{'))
    expect(events.length).toBeGreaterThan(200)
    expect(seen.urls.length).toBeGreaterThan(100)
    expect(new Set(seen.titles).size).toBeGreaterThan(5)
    expect(secrets.size).toBeGreaterThanOrEqual(12)

    // The link of a mail is opened once for each mail, and its token is in no other address (R10).
    const links = [...secrets].filter(([what]) => what.startsWith('link'))
    for (const [what, token] of links)
      expect([what, seen.urls.filter((url) => url.includes(token)).length]).toEqual([what, 1])
    const elsewhere = seen.urls.filter((url) => !links.some(([, token]) => url.includes(token)))

    const added = filesIn(documents).filter((path) => !known.has(path))
    expect(added.length).toBeGreaterThan(3)
    const rest = {
      database: [...rows].join('\n'),
      disk: await filesOf(portal.owner),
      documents: added.map((path) => readFileSync(path, 'latin1')).join('\n'),
    }
    const places = {
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
      for (const [place, text] of Object.entries(where).filter(([, each]) => holdsAny(each, all)))
        for (const [what, canary] of canaries)
          for (const spelling of findIn(text, canary)) found.push(`${what} in ${place} as ${spelling}`)
    }
    const { locale: _, secondName: __, ...particulars } = person
    const invited = Object.entries(guest).map(([name, value]): [string, string] => [`${name} of the guest`, value])
    const visiting = Object.entries(visitor).map(([name, value]): [string, string] => [`${name} of the visitor`, value])
    search(
      [...Object.entries({ ...particulars, ...numbers, 'new phone': newPhone }), ...invited, ...visiting, ...secrets],
      places,
    )
    // Names, login and e-mail rest in clear: they are what accounts are found and sorted by (decision 0033).
    search(
      [
        ...Object.entries({
          phone: person.phone,
          'new phone': newPhone,
          'phone of the guest': guest.phone,
          ...numbers,
        }),
        ...Object.entries({ 'phone of the visitor': visitor.phone, 'mistyped phone': visitor.mistyped }),
        ...secrets,
      ],
      rest,
    )
    // What looks for them finds what is there.
    expect(holdsAny(rest.database, [deafHost, person.email])).toBe(true)
    for (const place of [rest.database, rest.disk]) expect(findIn(place, person.email)).not.toEqual([])
    expect(found).toEqual([])
  },
)
