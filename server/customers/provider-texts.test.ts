import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { importCustomers } from '../../contract/provider/customer-import.ts'
import { putSoftware } from '../../contract/provider/provider-api.ts'
import { listSoftware } from '../../contract/software.ts'
import { exhaustive } from '../testing/breadth.ts'
import { openPortalWithCalls } from '../testing/open-portal.ts'
import { samplePerson } from '../testing/portal-nodes.ts'
import { openBrowser } from '../testing/browser.ts'
import { nameOf } from '../testing/calls.ts'
import { putAt, schemaOf, textPaths, valueAt } from '../testing/samples/fuzz-values.ts'
import { sampleRelease } from '../testing/provider.ts'

const { portal, calls } = await openPortalWithCalls()

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

/** In `npm test` three characters for each field, the next three for the next field, so that each character is tried on many fields. */
let turn = 0
function charactersInTurn() {
  const all = Object.entries(unwanted)
  return exhaustive ? all : Array.from({ length: 3 }, () => all[turn++ % all.length]!)
}

const isOfLines = (name: string) => /^(?:purpose|requirements)\./.test(name)

test('R111 R74 R76 no text of the provider may contain a lone surrogate, a control or a format character; the answer names the field', async () => {
  const wrong: unknown[] = []
  let tried = 0
  for (const endpoint of portal.app.endpoints.filter(({ access, body }) => access === 'provider' && body)) {
    const sample = await calls.bodyOf(endpoint)
    for (const path of textPaths(schemaOf(endpoint.body!)))
      for (const [what, character] of charactersInTurn()) {
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
