import fc from 'fast-check'
import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { afterAll, expect, test } from 'vitest'
import { importCustomers } from '../../contract/provider/customer-import.ts'
import { putCustomer, type ProviderCustomer } from '../../contract/provider/provider-customers.ts'
import { putSoftware } from '../../contract/provider/provider-software.ts'
import { listSoftware } from '../../contract/software.ts'
import { asSent, portTo, smtpServer } from '../adapters/loopback/loopback-mail-server.ts'
import { exhaustive, fewInTurn } from '../testing/breadth.ts'
import { openBrowser } from '../testing/browser.ts'
import { nameOf } from '../testing/calls.ts'
import { openPortalWithCalls } from '../testing/open-portal.ts'
import { samplePerson } from '../testing/portal-nodes.ts'
import { sampleRelease } from '../testing/provider.ts'
import { putAt, schemaOf, textPaths, valueAt } from '../testing/samples/fuzz-values.ts'

const sink = await smtpServer()
const mail = portTo(sink.port)
afterAll(() => mail.close().then(() => sink[Symbol.asyncDispose]()))
const { portal, calls } = await openPortalWithCalls({ ports: { mail } })

const unwanted = {
  'half of a pair': '\ud800',
  'the other half': '\udc00',
  'U+0000': '\u0000',
  'a tab': '\t',
  'a line feed': '\n',
  'a carriage return': '\r',
  'an escape': '\u001b',
  'U+0085': '\u0085',
  'a line separator': '\u2028',
  'a paragraph separator': '\u2029',
  'an override': '\u202e',
  'an isolate': '\u2066',
  'a mark of direction': '\u200f',
  'an Arabic mark of direction': '\u061c',
  'a space of no width': '\u200b',
  'a byte order mark': '\ufeff',
  'a soft hyphen': '\u00ad',
  'a tag': '\u{e0041}',
}

/** Takes three characters for a field in `npm test`, and the next three for the next, so that each character is tried on many fields. */
const few = fewInTurn(3)

const isOfLines = (name: string) => /^(?:purpose|requirements)\./.test(name)

test('R111 R74 R76 no text of the provider may contain a lone surrogate, a control or a format character; the answer names the field', async () => {
  const wrong: unknown[] = []
  let tried = 0
  for (const endpoint of portal.app.endpoints.filter(({ access, body }) => access === 'provider' && body)) {
    const sample = await calls.bodyOf(endpoint)
    for (const path of textPaths(schemaOf(endpoint.body!)))
      for (const [what, character] of few(Object.entries(unwanted))) {
        const name = path.join('.')
        const given = valueAt(sample, path)
        const good = typeof given === 'string' ? given : 'Opis'
        const middle = Math.ceil(good.length / 2)
        const body = putAt(sample, path, good.slice(0, middle) + character + good.slice(middle))
        const { status, problem } = await calls.send(endpoint, { body: JSON.stringify(body) })
        tried++
        if (what === 'a line feed' && isOfLines(name)) continue
        if (status !== 400 || !problem.fields?.some((field) => name.startsWith(field.name)))
          wrong.push([nameOf(endpoint), name, what, status, problem.fields])
      }
  }
  expect(tried).toBeGreaterThan(exhaustive ? 500 : 60)
  expect(wrong).toEqual([])
})

test('R111 nor does a line of an import', async () => {
  const characters = Object.values(unwanted)
  const lines = characters.map((character) =>
    JSON.stringify({ customer: `c-${crypto.randomUUID()}`, ...samplePerson(), surname: `No${character}wak` }),
  )
  const response = await openBrowser(portal).raw('PUT', importCustomers.path, Buffer.from(lines.join('\n')), {
    authorization: `Bearer ${portal.clientKey}`,
    'content-type': 'application/x-ndjson',
  })
  expect(await response.json()).toMatchObject({
    created: 0,
    refused: characters.map((_, i) => ({
      line: i + 1,
      fields: [{ name: 'surname', problem: 'format' }],
    })),
  })
})

test('R111 a description may have line breaks, but no other invisible character', async () => {
  const put = (requirements: string) =>
    openBrowser(portal).call(putSoftware, {
      params: { release: 'r-lines' },
      body: { ...sampleRelease, requirements: { pl: requirements, en: requirements } },
    })
  const two = 'Windows 11\nOffice 2024'
  expect(await put(two)).toMatchObject({ status: 200, body: { requirements: { pl: two, en: two } } })
  for (const text of ['a\r\nb', 'a\tb', 'a\n\u202eb', '\n \n', 'x'.repeat(401)])
    expect([text.slice(0, 5), (await put(text)).status]).toEqual([text.slice(0, 5), 400])
})

test('R111 a text from before this rule is shown as it is', async () => {
  await openBrowser(portal).call(putSoftware, { params: { release: 'r-old' }, body: sampleRelease })
  await sql`update software set name = ${'Program\u200b'}, requirements = ${JSON.stringify({ pl: 'a\r\nb', en: 'a\u202eb' })}
    where provider_id = 'r-old'`.execute(portal.ownerDb)
  const { status, body } = await calls.customer.call(listSoftware)
  expect(status).toBe(200)
  expect(body.items).toContainEqual(expect.objectContaining({ name: 'Program\u200b' }))
})

/** Creates a customer; the answer and the mails that it causes. */
async function create(body: ProviderCustomer) {
  sink.arrived.length = 0
  const params = { customer: `c-${crypto.randomUUID()}` }
  const answer = await openBrowser(portal).call(putCustomer, { params, body })
  await portal.deliver()
  return { ...answer, arrived: [...sink.arrived] }
}

/** The only headers of the portal's mails. */
const ownHeaders = ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to']

const tags = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  '</title>',
  '<!--',
]
const links = [
  '<a href="https://evil.example">',
  'https://evil.example',
  'www.evil.example',
  '\u202eelpmaxe',
  'Ł',
  '😀',
]
const templates = ['&lt;', '{{origin}}', '${7*7}', '<%= 7 %>', '%s%n', '=?utf-8?B?PGI+?=', '\r\nBcc: evil@evil.example']
const markup = fc.constantFrom(...tags, ...links, ...templates, '\n.\n', 'a'.repeat(90))
const hostileName = fc.array(markup, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '))

test('R74 a hostile name is stored as it is or refused, and no mail has live markup from it', async () => {
  await fc.assert(
    fc.asyncProperty(hostileName, hostileName, fc.constantFrom('pl', 'en'), async (firstName, surname, locale) => {
      const person = samplePerson({ firstName, surname, locale })
      const { status, body, arrived } = await create(person)
      if (status !== 200) {
        expect([status, arrived]).toEqual([400, []])
        return
      }
      const stored = (name: string) => name.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '').normalize('NFC')
      expect(body).toMatchObject({ firstName: stored(firstName), surname: stored(surname) })
      expect(arrived.map(({ to }) => to.map(asSent))).toEqual([[person.email]])
      const { subject, text, html, headers, ...parsed } = await PostalMime.parse(arrived[0]!.raw)
      expect(parsed).toMatchObject({ to: [{ address: person.email, name: '' }], attachments: [] })
      expect([...new Set(headers.map(({ key }) => key))].toSorted()).toEqual(ownHeaders)
      expect(`${subject}${text}`).not.toMatch(/evil|alert/)
      expect(html!.match(/href="[^"]*"/g)).toEqual([
        expect.stringMatching(/^href="https:\/\/portal\.example\/(?:en\/)?setup-password\/[\w-]{43}"$/),
      ])
      expect(html).not.toMatch(/<(?:script|img|iframe|svg|object|embed|form|input|base|link|svg)\b|\son\w+\s*=/i)
    }),
    { numRuns: exhaustive ? 100 : 25 },
  )
})
