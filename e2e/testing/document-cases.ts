import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Download, Locator } from 'playwright-core'
import { getDocumentCase, putCaseDocument, putDocumentCase } from '../../contract/provider/provider-documents.ts'
import { openAnyPdf } from '../../pki/pdf/pdf-encryption.ts'
import { openAuthority } from '../../provider/authority/authority.ts'
import { createSigner } from '../../provider/demonstration/demonstration-documents.ts'
import { documentSigner } from '../../provider/demonstration/demonstration-people.ts'
import { customerOf } from './demonstration-run.ts'
import type { openPortal } from './open-portal.ts'
import { openProviderClient } from './portal-calls.ts'
import { agreement } from './samples/documents.ts'

/** The signer whom the embedded provider certifies in tests. */
const login = 'malgorzata'
const signer = documentSigner.serialNumber

type Portal = Awaited<ReturnType<typeof openPortal>>

/** Opens the authority of the portal's embedded provider and the customer's own signing program. */
export async function openSigner(portal: Portal) {
  const now = () => new Date()
  const authority = await openAuthority({
    directory: join(portal.directory, 'provider'),
    baseUrl: `${portal.origin}/pki`,
    now,
  })
  return { authority, sign: await createSigner(authority, now()) }
}

/** Opens the provider's side of document cases and the customer's own signing program. */
export async function openDocumentCases(portal: Portal) {
  const provider = await openProviderClient(portal)
  const { sign } = await openSigner(portal)

  return {
    provider,
    signer,
    /** Opens a case with its document. */
    async give(
      number: string,
      process = { pl: 'Umowa o\u00a0podpis', en: 'Signature agreement' },
      {
        owner = login,
        signer: signedBy = signer,
        file,
      }: { owner?: string; signer?: string; file?: Uint8Array<ArrayBuffer> } = {},
    ) {
      const { id } = customerOf(owner)
      const params = { case: `e2e-${number}` }
      await provider.call(putDocumentCase, {
        params,
        body: { customer: id, application: `W/${number}`, document: number, process, signer: signedBy },
      })
      await provider.upload(putCaseDocument, params, file ?? (await agreement()))
      return params
    },
    /** Signs like a customer's program: the encrypted file with its code, or the plain one. */
    sign: async (file: Uint8Array, accessCode?: string) => sign(openAnyPdf(file, accessCode)),
    /** Opens the document in the dialog that signs here (DOC-11). The provider knows the code too (decision 0046). */
    async openToSign(dialog: Locator, name: string) {
      const { accessCode } = await provider.call(getDocumentCase, { params: { case: name } })
      await enterAccessCode(dialog, accessCode!)
      // Before a page is shown, no code can be requested.
      await dialog.locator('canvas:not([hidden])').waitFor()
    },
    /** The access code of a document, from the mail. */
    accessCode: (document: string) => portal.accessCode(customerOf(login).email, document),
  }
}

/** Enters the access code in the dialog that signs here, and waits until the document is open. */
export async function enterAccessCode(dialog: Locator, code: string) {
  const field = dialog.locator('input[name=code]')
  await field.fill(code)
  await field.press('Enter')
  await dialog.getByRole('heading', { name: /^(?:Przeczytaj i\spodpisz|Read and sign)$/ }).waitFor()
}

export const readDownload = async (download: Download) => new Uint8Array(await readFile(await download.path()))

/** Returns a signed file in the form in which a customer chooses it for upload. */
export const uploadFile = (bytes: Uint8Array, name = 'umowa-podpisana.pdf') => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(bytes),
})
