import type { Readable } from 'node:stream'
import { limits } from '../../contract/limits.ts'
import { CertificateError, readCertificate, type CertificateContent } from '../../pki/certificate.ts'
import { Failed } from '../failure.ts'
import { DocumentTooLarge, StorageFull } from '../ports/ports.ts'
import type { Portal } from '../portal.ts'
import { storageFull } from '../storage-full.ts'

/** Keeps a PDF of the provider's under a key of the store. */
export async function storeDocument(portal: Portal, key: string, content: Readable) {
  try {
    return await portal.ports.documents.write(key, content, limits.http.pdfBytes)
  } catch (error) {
    if (error instanceof DocumentTooLarge) throw new Failed('body-too-large')
    if (error instanceof StorageFull) throw storageFull(portal)
    throw error
  }
}

/** What stands in a certificate given as base64 of its DER. */
export function readOrFail(der: string): CertificateContent {
  try {
    return readCertificate(Buffer.from(der, 'base64'))
  } catch (error) {
    if (error instanceof CertificateError) throw new Failed('certificate-unreadable')
    throw error
  }
}
