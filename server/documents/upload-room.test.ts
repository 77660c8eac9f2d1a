import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { stageUpload } from '../../contract/documents.ts'
import { limits } from '../../contract/limits.ts'
import { contract, fileOf, signPdf } from '../../pki/testing/pades-authorities.ts'
import { documentsOnDisk } from '../adapters/documents-disk.ts'
import { listenAsScanner } from '../adapters/loopback/loopback-scanner.ts'
import { malwareByClamd } from '../adapters/malware-clamd.ts'
import { openPortal, folderOfFile } from '../testing/open-portal.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { downloadAndSign, giveDocument, stage, trustTestAuthorities } from '../testing/samples/sample-documents.ts'

const folder = folderOfFile()
const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')
const scan = (port?: number) =>
  listenAsScanner(
    (content, socket) => socket.end(content.includes(eicar) ? 'stream: Eicar-Signature FOUND\0' : 'stream: OK\0'),
    port,
  )

let scanner = await scan()
afterAll(() => scanner.close())
const portal = await openPortal({
  comparesPages: false,
  ports: { malware: malwareByClamd(scanner.at), documents: documentsOnDisk(folder) },
})
await trustTestAuthorities(portal)
const person = await addCustomer(portal)
const customer = await signInDirectly(portal, person)

const resetUploadLimit = () => portal.owner.query(`delete from rate_limits where name = 'document-uploads'`)
const countFiles = () => readdirSync(join(folder, 'documents')).length

async function downloaded() {
  await resetUploadLimit()
  const names = await giveDocument(portal, person.id)
  return { ...names, signed: await downloadAndSign(portal, customer, person.email, names.documentCase) }
}

test('R50 malware lets no file in, and neither does a scanner that is unreachable', async () => {
  const { documentCase: id, signed } = await downloaded()
  const carrier = signPdf(fileOf([...contract, [`<</Type/EmbeddedFile/Length ${eicar.length}>>`, eicar]]))
  const held = countFiles()
  expect((await stage(customer, id, carrier)).body.code).toBe('malware-found')
  const { port } = scanner
  await scanner.close()
  for (const file of [carrier, signed])
    expect(await stage(customer, id, file)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  expect(countFiles()).toBe(held)
  scanner = await scan(port)
  expect((await stage(customer, id, carrier)).body.code).toBe('malware-found')
  expect((await stage(customer, id, signed)).body.report.verdict).toBe('accepted')
})

test('R50 a customer may make so many uploads in an hour; the rest get a time to try again', async () => {
  const { documentCase: id } = await downloaded()
  const headers = { 'content-type': 'application/pdf' }
  const tryUpload = async () => {
    const response = await customer.raw('POST', stageUpload.path.replace(':id', id), Buffer.from('%PDF-1.7'), headers)
    const { code } = (await response.json()) as { code: string }
    return `${response.status} ${code} ${Number(response.headers.get('retry-after')) > 0 ? 'later' : ''}`.trim()
  }
  const answers = []
  for (let i = 0; i < 30; i++) answers.push(await tryUpload())
  const { limit } = limits.documents.uploads
  expect(new Set(answers.slice(0, limit))).toEqual(new Set(['422 pdf-damaged']))
  expect(new Set(answers.slice(limit))).toEqual(new Set(['429 too-many-attempts later']))
})
