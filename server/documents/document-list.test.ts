import { expect, test } from 'vitest'
import { downloadDocument, listDocuments } from '../../contract/documents.ts'
import { cancelDocumentCase } from '../../contract/provider/provider-documents.ts'
import { openBrowser } from '../testing/browser.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { giveDocument } from '../testing/samples/sample-documents.ts'
import { openPortalWithProvider } from '../testing/open-portal.ts'

const { portal } = await openPortalWithProvider()

/** As if each was created an hour after the one before it, by their numbers. */
const createInOrder = (given: { documentCase: string }[]) =>
  portal.owner.query(
    `update document_cases set created_at = timestamptz '2026-01-01 00:00Z' + make_interval(hours => substr(document, 3)::int)
      where id = any($1)`,
    [given.map(({ documentCase }) => documentCase)],
  )

test('DOC-14 R36 documents to be signed come first, also while they are being generated, then those to be downloaded, then the rest, on any page', async () => {
  const person = await addCustomer(portal)
  const numbers = Array.from({ length: 24 }, (_, i) => `U-${100 + i}`)
  const given = await Promise.all(numbers.map((document) => giveDocument(portal, person.id, { document, pdf: null })))
  // The states in turn, whose moves other tests make; the trigger of the database allows each of them.
  const moves = ['subscriber-downloaded', 'subscriber-uploaded', 'issuer-uploaded', 'finished']
  for (const [i, { documentCase }] of given.entries())
    for (const status of moves.slice(0, i % 5))
      await portal.owner.query('update document_cases set status = $1 where id = $2', [status, documentCase])
  await createInOrder(given)
  const rank = (i: number) => [0, 0, 2, 1, 2][i % 5]!
  const expected = numbers
    .map((number, i) => ({ number, rank: rank(i) }))
    .toReversed()
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ number }) => number)
  const browser = await signInDirectly(portal, person)
  const { body: first } = await browser.call(listDocuments)
  const { body: second } = await browser.call(listDocuments, { query: { cursor: first.next! } })
  expect([...first.items, ...second.items].map(({ document }) => document)).toEqual(expected)
  expect([first.items.length, second.next]).toEqual([20, null])
  const stranger = await signInDirectly(portal, await addCustomer(portal))
  expect((await stranger.call(listDocuments, { query: { cursor: first.next! } })).problem.code).toBe('cursor-refused')
})

test('DOC-14 a download does not move a document; what is cancelled comes last', async () => {
  const person = await addCustomer(portal)
  const browser = await signInDirectly(portal, person)
  const listed = async () => (await browser.call(listDocuments)).body.items.map(({ document }) => document)
  await giveDocument(portal, person.id, { document: 'U-1' })
  const newer = await giveDocument(portal, person.id, { document: 'U-2' })
  const loaded = await browser.raw('POST', downloadDocument.path.replace(':id', newer.documentCase))
  expect([loaded.status, (await loaded.arrayBuffer()).byteLength > 0]).toEqual([200, true])
  expect(await listed()).toEqual(['U-2', 'U-1'])
  const params = { case: newer.providerDocumentCase }
  expect((await openBrowser(portal).call(cancelDocumentCase, { params })).status).toBe(200)
  expect(await listed()).toEqual(['U-1', 'U-2'])
})

test('DOC-14 documents are found by name in both languages, by their number and by that of the application, together with a status', async () => {
  const person = await addCustomer(portal)
  const give = (document: string, application: string, process: { pl: string; en: string }) =>
    giveDocument(portal, person.id, { document, application, process, pdf: null })
  await give('U-20871', 'W/2026/117', { pl: 'Umowa o\u00a0pieczęć', en: 'Seal agreement' })
  await give('A-20872', 'W/2026/118', { pl: 'Aneks do umowy', en: 'Annex to the agreement' })
  await giveDocument(portal, (await addCustomer(portal)).id, { document: 'U-20871', pdf: null })
  const browser = await signInDirectly(portal, person)
  const found = async (search: string, status?: 'finished') =>
    (await browser.call(listDocuments, { query: { search, ...(status && { status }) } })).body.items.map(
      ({ document }) => document,
    )
  // The name has a no-break space, which nobody types.
  expect(await found(' umowa o pieczec ')).toEqual(['U-20871'])
  expect(await found('ANNEX')).toEqual(['A-20872'])
  expect(await found('u-208')).toEqual(['U-20871'])
  expect(await found('2026/118')).toEqual(['A-20872'])
  expect(await found('agreement')).toEqual(['A-20872', 'U-20871'])
  expect(await found('agreement', 'finished')).toEqual([])
  expect(await found('_')).toEqual([])
  expect((await browser.raw('GET', `/api/documents?search=${'x'.repeat(101)}`)).status).toBe(400)
})
