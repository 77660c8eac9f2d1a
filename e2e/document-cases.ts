import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Download } from 'playwright-core'
import { putCaseDocument, putDocumentCase } from '../contract/provider-documents.ts'
import { openAnyPdf } from '../pki/pdf-cipher-node.ts'
import { makeAgreement } from '../provider/agreement.ts'
import { openAuthority } from '../provider/authority.ts'
import { openSigner } from '../provider/demonstration-documents.ts'
import { customerOf } from '../tools/demonstration-run.ts'
import type { openPortal } from './open-portal.ts'
import { enterAsProvider } from './provider-entrance.ts'

/** Whom the embedded provider certifies when a document is signed in a test. */
const login = 'malgorzata'
const signer = 'PNOPL-85031212343'

/** The provider's side of document cases, and the customer's own signing program. */
export async function openDocumentCases(portal: Awaited<ReturnType<typeof openPortal>>) {
  const provider = await enterAsProvider(portal)
  const now = () => new Date()
  const authority = await openAuthority({
    directory: join(portal.directory, 'provider'),
    baseUrl: `${portal.origin}/pki`,
    now,
  })
  const sign = await openSigner(authority, now())
  let made: Promise<Uint8Array<ArrayBuffer>> | undefined

  /** One for all cases, because what stands in it is not what they are about. */
  async function makeDocument() {
    const { email, phone, firstName: givenName, surname } = customerOf(login)
    const pdf = await makeAgreement({
      language: 'pl',
      number: 'U-1',
      concludedAt: now(),
      product: 'app',
      subject: { kind: 'person', givenName, surname, serialNumber: signer, country: 'PL' },
      notBefore: now(),
      notAfter: new Date(Date.now() + 6e10),
      email,
      phone,
    })
    return new Uint8Array(pdf)
  }

  return {
    provider,
    signer,
    /** Opens a case with its document. */
    async give(number: string, process = { pl: 'Umowa o\u00a0podpis', en: 'Signature agreement' }) {
      const { id } = customerOf(login)
      const params = { case: `e2e-${number}` }
      await provider.call(putDocumentCase, {
        params,
        body: { customer: id, application: `W/${number}`, document: number, process, signer },
      })
      await provider.upload(putCaseDocument, params, await (made ??= makeDocument()))
      return params
    },
    /** As a customer's program does it: on the encrypted file by its code, or on the plain one. */
    sign: async (file: Uint8Array, accessCode?: string) => sign(await openAnyPdf(file, accessCode)),
    /** The access code of a document, as it stands in the mail. */
    accessCode: (document: string) => portal.accessCode(customerOf(login).email, document),
  }
}

export const bytesOf = async (download: Download) => new Uint8Array(await readFile(await download.path()))

/** As it comes from a program of the customer's. */
export const filed = (bytes: Uint8Array, name = 'umowa-podpisana.pdf') => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(bytes),
})
