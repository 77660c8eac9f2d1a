import { hash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { putSealAgreement } from '../../contract/provider/provider-seals.ts'
import * as providerApi from '../../contract/provider/provider-signatures.ts'
import { Period } from '../../contract/signatures-and-seals.ts'
import { listSignatures, SignatureProduct } from '../../contract/signatures.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { asProvider, openBrowser } from '../testing/browser.ts'
import { readDatabase, readPortalId } from '../testing/database-state.ts'
import { openPortalWithProvider } from '../testing/open-portal.ts'
import { pdfWith, samplePdf } from '../testing/provider.ts'
import { openWire, readAnswers } from '../testing/raw-http.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { makeSeal } from '../testing/samples/sample-seals.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2 })
const person = await addCustomer(portal)

const newId = () => `s-${crypto.randomUUID()}`
const put = (signature: string, body: providerApi.ProviderSignature, node = 0) =>
  openBrowser(portal).call(providerApi.putSignature, { params: { signature }, body }, node)
const get = (signature: string) => openBrowser(portal).call(providerApi.getSignature, { params: { signature } })
const stored = async (providerId: string) => {
  const signature = await readPortalId(portal, 'signatures', providerId)
  return (await auditEntries(portal, { action: 'signature-stored', details: { signature } })).length
}

describe('OPS-4 signatures', () => {
  test('OPS-4 a signature is created for its customer, and is read back as stored', async () => {
    const id = newId()
    const body = await provider.signedBody(person.id, {
      product: 'file',
      identifierType: 'PAS',
      period: '3_year',
      agreementLanguage: 'en',
      subject: { givenName: 'Jan', surname: 'Kowalski', serialNumber: 'PASPL-ZS0000177' },
    })
    const filed = { ...body, agreement: 'generating', pairedAt: null }
    expect(await put(id, body)).toMatchObject({ status: 200, body: filed })
    expect((await get(id)).body).toEqual(filed)
  })

  test('SIG-6 SIG-8 PRV-7 signatures of every product and period are stored and found by them', async () => {
    const owner = await addCustomer(portal)
    const made = SignatureProduct.options.flatMap((product) => Period.options.map((period) => ({ product, period })))
    for (const body of made) {
      const { providerId } = await provider.give(owner, body)
      expect((await get(providerId)).body).toMatchObject(body)
    }
    const browser = await signInDirectly(portal, owner)
    const names = (items: { product: string; period: string }[]) =>
      items.map(({ product, period }) => `${product} ${period}`).toSorted()
    const own = async (over = {}) => names((await browser.call(listSignatures, { query: over })).body.items)
    const filed = async (over = {}) => {
      const query = { customer: owner.id, ...over }
      return names((await openBrowser(portal).call(providerApi.listProviderSignatures, { query })).body.items)
    }
    for (const list of [own, filed]) {
      expect(await list()).toEqual(names(made))
      for (const product of SignatureProduct.options)
        expect(await list({ product })).toEqual(names(made.filter((each) => each.product === product)))
      for (const period of Period.options)
        expect(await list({ period })).toEqual(names(made.filter((each) => each.period === period)))
    }
    expect(await own({ product: 'card', period: '30_days', status: 'active' })).toEqual(['card 30_days'])
    expect(await own({ product: 'card', status: 'inactive' })).toEqual([])
    expect(await filed({ product: 'app', period: '3_year', status: 'good' })).toEqual(['app 3_year'])
    expect((await browser.raw('GET', '/api/signatures?period=5_years')).status).toBe(400)
  })

  test('SIG-8 SIG-9 signatures are found by organisation, and the list names the organisations of all of them in Polish order', async () => {
    const owner = await addCustomer(portal)
    const names = ['Łódzka Sp. z o.o.', 'Lipa S.A.', 'Zając i Syn']
    const of = (name: string) => ({ subject: { organisation: { name, identifier: 'VATPL-1234563218' } } })
    for (const name of [...names, ...names.slice(0, 1)]) await provider.give(owner, of(name))
    await provider.give(owner)
    await provider.give(await addCustomer(portal), of('Obca S.A.'))
    const browser = await signInDirectly(portal, owner)
    const { items, organisations } = (await browser.call(listSignatures)).body
    expect(organisations).toEqual(['Lipa S.A.', 'Łódzka Sp. z o.o.', 'Zając i Syn'])
    expect(items).toHaveLength(5)
    const found = async (organisation: string) => (await browser.call(listSignatures, { query: { organisation } })).body
    const twice = await found('Łódzka Sp. z o.o.')
    expect(twice.items.map((item) => item.organisation)).toEqual(['Łódzka Sp. z o.o.', 'Łódzka Sp. z o.o.'])
    // The filter can be changed, so the others are named too.
    expect(twice.organisations).toEqual(organisations)
    expect((await found('Obca S.A.')).items).toEqual([])
    expect((await browser.raw('GET', `/api/signatures?organisation=${'x'.repeat(401)}`)).status).toBe(400)
  })

  test('OPS-4 storing it again adds only an audit entry, also at the same time over both nodes', async () => {
    const [id, body] = [newId(), await provider.signedBody(person.id)]
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => put(id, body, i % 2)))
    expect(new Set(answers.map(({ status, body: reply }) => `${status} ${JSON.stringify(reply)}`)).size).toBe(1)
    expect((await portal.owner.query('select 1 from signatures where provider_id = $1', [id])).rowCount).toBe(1)
    // The same text is encrypted differently each time.
    const plainSql = `select to_jsonb(s) - 'identifier_value' - 'certificates' as row from signatures s order by id`
    const opened = async () => [(await portal.owner.query(plainSql)).rows, (await get(id)).body]
    const [{ audit: _, signatures: __, ...before }, were] = [await readDatabase(portal), await opened()]
    await put(id, body)
    expect(await readDatabase(portal)).toMatchObject(before)
    expect(await opened()).toEqual(were)
    expect(await stored(id)).toBe(11)
  })

  test('OPS-4 a later call replaces the certificate and the status, and keeps the agreement', async () => {
    const { providerId } = await provider.give(person)
    await provider.putAgreement(providerId)
    const renewed = await provider.signedBody(person.id, { status: 'suspended' })
    expect((await put(providerId, renewed)).body).toMatchObject({ ...renewed, agreement: 'ready' })
  })

  test('OPS-4 R34 a signature never changes its owner, and needs an existing customer', async () => {
    const stranger = await addCustomer(portal)
    const { providerId } = await provider.give(person)
    const before = await readDatabase(portal)
    const refused = [
      await put(providerId, await provider.signedBody(stranger.id)),
      await put(newId(), await provider.signedBody('c-nobody')),
      await get(newId()),
    ]
    for (const { problem } of refused) expect(problem).toMatchObject({ status: 404, code: 'not-found' })
    expect(await readDatabase(portal)).toEqual(before)
  })

  test('OPS-4 unreadable data instead of any certificate are refused and nothing is stored', async () => {
    const good = await provider.signedBody(person.id)
    const tailed = Buffer.concat([Buffer.from(good.certificate, 'base64'), Buffer.from('tail')]).toString('base64')
    for (const bad of ['', 'AAAA', btoa('no certificate'), good.certificate.slice(0, 400), tailed])
      for (const body of [
        { ...good, certificate: bad },
        { ...good, chain: [bad] },
        { ...good, chain: [...good.chain, bad] },
      ]) {
        const id = newId()
        const answer = await put(id, body)
        expect([bad.slice(0, 20), [400, 422].includes(answer.status)]).toEqual([bad.slice(0, 20), true])
        expect((await get(id)).status).toBe(404)
      }
    for (const over of [
      { certificate: 'no base64!' },
      { chain: [] },
      { chain: Array.from({ length: 6 }, () => good.certificate) },
      { period: '4_years' },
      { period: '2_days' },
      { period: 1 },
      { years: 1 },
      { status: 'valid' },
      { product: 'cloud' },
    ]) {
      const { status } = await put(newId(), { ...good, ...over } as providerApi.ProviderSignature)
      expect([over, status]).toEqual([over, 400])
    }
  })
})

describe('OPS-4 agreements', () => {
  const pathOf = (signature: string) => providerApi.putAgreement.path.replace(':signature', signature)
  const send = async (path: string, body: Uint8Array | string | undefined, headers: Record<string, string> = pdf) => {
    const response = await asProvider(portal, 'PUT', path, { body, headers })
    return { status: response.status, body: await response.json() }
  }
  const pdf = { 'content-type': 'application/pdf' }
  /** Returns the head of an upload, with a header about its length. */
  const headOf = (signature: string, length: string) => {
    const own = `Host: ${new URL(portal.origin).host}\r\nAuthorization: Bearer ${portal.clientKey}\r\n`
    return `PUT ${pathOf(signature)} HTTP/1.1\r\n${own}Content-Type: application/pdf\r\n${length}\r\n\r\n`
  }
  const files = () =>
    readdirSync(portal.documentsFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)

  test('OPS-4 SIG-2 R54 an agreement is stored whole, and its size and hash are returned and audited', async () => {
    const { providerId } = await provider.give(person)
    const sha256 = hash('sha256', samplePdf)
    const body = { sha256, bytes: samplePdf.length }
    expect(await send(pathOf(providerId), samplePdf)).toEqual({ status: 200, body })
    expect((await get(providerId)).body.agreement).toBe('ready')
    const [entry] = (await auditEntries(portal, { action: 'agreement-stored' })).slice(-1)
    expect(entry).toMatchObject({ actor: 'provider', details: { sha256 } })
  })

  test('PRV-10 a file that cannot be opened as a PDF is refused, and the agreement before stays', async () => {
    const { providerId } = await provider.give(person)
    const seal = await makeSeal(portal, provider, [])
    const locked = await portal.portal.pdfWork.lock(samplePdf, { password: 'p', owner: 'o' })
    if (typeof locked === 'string') throw new Error(locked)
    const broken = Buffer.from(samplePdf.toString('latin1').replace('/Kids[3 0 R]', '/Kids[4 0 R]'), 'latin1')
    const refused: [Uint8Array, object][] = [
      [Buffer.from('hello'), { code: 'pdf-required' }],
      [Buffer.from('%PDF-1.7\ngarbage'), { code: 'pdf-unusable', reason: 'damaged' }],
      [broken, { code: 'pdf-unusable', reason: 'damaged' }],
      [locked.file, { code: 'pdf-unusable', reason: 'encrypted' }],
    ]
    for (const path of [pathOf(providerId), putSealAgreement.path.replace(':seal', seal.providerId)]) {
      expect((await send(path, samplePdf)).status).toBe(200)
      const before = [files(), await readDatabase(portal)]
      for (const [file, body] of refused) expect(await send(path, file)).toMatchObject({ status: 422, body })
      expect([files(), await readDatabase(portal)]).toEqual(before)
    }
  })

  test('R42 10,485,760 bytes are accepted and one more is not, with or without a declared length; nothing is left of it', async () => {
    const { providerId } = await provider.give(person)
    const rest = pdfWith('x'.repeat(limits.http.pdfBytes - 1000)).length - (limits.http.pdfBytes - 1000)
    const file = (bytes: number) => send(pathOf(providerId), pdfWith('x'.repeat(bytes - rest)))
    expect(await file(limits.http.pdfBytes)).toMatchObject({ status: 200, body: { bytes: limits.http.pdfBytes } })
    const before = [files(), await readDatabase(portal)]
    expect(await file(limits.http.pdfBytes + 1)).toMatchObject({ status: 413, body: { code: 'body-too-large' } })
    await using wire = openWire(portal.origin)
    const chunk = Buffer.from('%PDF-1.7'.padEnd(65_536))
    await wire.write(headOf(providerId, 'Transfer-Encoding: chunked'))
    for (let sent = 0; sent <= limits.http.pdfBytes; sent += chunk.length)
      await wire.write(Buffer.concat([Buffer.from('10000\r\n'), chunk, Buffer.from('\r\n')]))
    await expect.poll(wire.text).toContain('body-too-large')
    expect(readAnswers(wire.text())[0]!.status).toBe(413)
    expect([files(), await readDatabase(portal)]).toEqual(before)
  })

  test('R42 a file whose declared length is too large is refused before any of it was sent', async () => {
    const { providerId } = await provider.give(person)
    await using wire = openWire(portal.origin)
    await wire.write(headOf(providerId, `Content-Length: ${limits.http.pdfBytes + 1}`))
    await expect.poll(wire.text).toContain('body-too-large')
  })

  test('R71 a body that is not sent as a PDF is refused, in any size, and not stored', async () => {
    const { providerId } = await provider.give(person)
    const before = [files(), await readDatabase(portal)]
    const wrong: [Parameters<typeof send>[1], Record<string, string>][] = [
      [JSON.stringify({ a: 'x'.repeat(300_000) }), { 'content-type': 'application/json' }],
      ['{}', { 'content-type': 'application/json' }],
      [samplePdf, { 'content-type': 'text/plain' }],
      [samplePdf, { 'content-type': 'application/octet-stream' }],
      [samplePdf, { 'content-type': 'multipart/form-data; boundary=x' }],
      [samplePdf, { 'content-type': 'application/pdf, application/json' }],
      [samplePdf, { ...pdf, 'content-encoding': 'gzip' }],
      [undefined, pdf],
      ['', pdf],
      [undefined, {}],
    ]
    for (const [body, headers] of wrong)
      expect([headers, await send(pathOf(providerId), body, headers)]).toMatchObject([
        headers,
        { status: 415, body: { code: 'unsupported-media-type' } },
      ])
    // Its type with a parameter is its type (RFC 9110 §8.3.1).
    for (const type of ['application/pdf', 'application/pdf; charset=utf-8', 'Application/PDF;name="a.pdf"']) {
      const { status } = await send(pathOf(newId()), samplePdf, { 'content-type': type })
      expect([type, status]).toEqual([type, 404])
    }
    expect([files(), await readDatabase(portal)]).toEqual(before)
  })

  test('R53 an upload that breaks off leaves neither a file nor a row', async () => {
    const { providerId } = await provider.give(person)
    const before = [files(), await readDatabase(portal)]
    const wire = openWire(portal.origin)
    const arrived = once(portal.app.server, 'request') as Promise<[IncomingMessage]>
    await wire.write(`${headOf(providerId, 'Content-Length: 100000')}%PDF-1.7`)
    const [request] = await arrived
    await expect.poll(() => request.readableDidRead).toBe(true)
    const closed = new Promise((resolve) => request.once('close', resolve))
    wire.socket.destroy()
    await closed
    expect([files(), await readDatabase(portal)]).toEqual(before)
    expect((await get(providerId)).body.agreement).toBe('generating')
  })
})
