import type { DocumentStatus, RefusalReason } from '../../contract/documents.ts'
import {
  downloadUpload,
  countersign,
  finishDocumentCase,
  getDocumentCase,
  listDocumentCases,
  refuseUpload,
} from '../../contract/provider/provider-documents.ts'
import type { DocumentReport } from '../../pki/pades/pades-report.ts'
import { validatePdf } from '../../pki/pades/pades-validate.ts'
import type { Authority } from '../authority/authority.ts'
import { sealLongTerm } from '../authority/electronic-seal.ts'
import type { PortalClient } from '../portal-client.ts'
import { readAllPages, workThrough } from './back-office-rounds.ts'

type Services = { portal: PortalClient; authority: Authority; leaves: ReadonlySet<string> }

/**
 * Creates the provider's back office for documents that customers have signed (DOC-6): it validates them itself, then adds its seal or
 * refuses with a reason. It skips the cases `leaves`, so that the demonstration shows every status.
 */
export function documentBackOffice({ portal, authority, leaves }: Services) {
  async function listWaiting(status: DocumentStatus) {
    const cases = await readAllPages((page) => portal.call(listDocumentCases, { query: { status, ...page } }))
    return cases.map(({ case: name }) => name).filter((name) => !leaves.has(name))
  }

  async function verify(name: string): Promise<void> {
    const params = { case: name }
    const { accessCode, signer, upload, document } = await portal.call(getDocumentCase, { params })
    const file = await portal.download(downloadUpload, params)
    const receivedAt = new Date()
    const report = await validatePdf(file, {
      anchors: [{ certificate: authority.certificates.root }],
      intermediates: [authority.certificates.issuing],
      crls: await Promise.all([authority.readRevocationList('root'), authority.readRevocationList('issuing')]),
      receivedAt,
      signer: { identifier: signer },
      revocation: 'required',
      signingCertificate: 'v2',
      qualified: true,
      ...(accessCode && { password: accessCode }),
    })
    // A person would compare both documents here, but the demonstration has none.
    const isWaiting = upload?.report.problems.some(({ severity }) => severity === 'wait')
    if (isWaiting || report.verdict !== 'accepted' || upload?.report.document === 'other') {
      const reason = isWaiting ? 'changed' : refusalReasonOf(report)
      await portal.call(refuseUpload, { params, body: { reason, note: null } })
      return
    }
    const sealed = await sealLongTerm(file, authority, {
      reason: document,
      at: receivedAt,
      password: accessCode ?? undefined,
    })
    await portal.upload(countersign, params, sealed)
  }

  return {
    work: () =>
      workThrough([
        { listWaiting: () => listWaiting('subscriber-uploaded'), handle: verify },
        {
          listWaiting: () => listWaiting('issuer-uploaded'),
          handle: (name) => portal.call(finishDocumentCase, { params: { case: name } }),
        },
      ]),
  }
}

const reasons: Partial<Record<string, RefusalReason>> = {
  'other-signer': 'other-signer',
  'other-document': 'other-document',
  'changed-before-signing': 'changed',
  'changed-after-signing': 'changed',
  revoked: 'certificate-invalid',
  'not-qualified': 'certificate-invalid',
  'key-usage': 'certificate-invalid',
  'path-untrusted': 'certificate-invalid',
  'path-expired': 'certificate-invalid',
  'path-not-granted': 'certificate-invalid',
}

function refusalReasonOf({ problems, signatures }: DocumentReport): RefusalReason {
  const codes = [...problems, ...signatures.flatMap((signature) => signature.problems)]
    .filter(({ severity }) => severity === 'refuse')
    .map(({ code }) => code)
  return codes.map((code) => reasons[code]).find((reason) => reason !== undefined) ?? 'signature-invalid'
}
