import {
  downloadUpload,
  countersign,
  finishDocumentCase,
  getDocumentCase,
  listDocumentCases,
  refuseUpload,
} from '../contract/provider-documents.ts'
import type { DocumentStatus, RefusalReason } from '../contract/documents.ts'
import type { DocumentReport } from '../pki/pades-report.ts'
import { validatePdf } from '../pki/pades-validate.ts'
import type { Authority } from './authority.ts'
import { workThrough } from './desk-rounds.ts'
import type { PortalClient } from './portal-client.ts'
import { sealWithProof } from './seal.ts'

/**
 * Where the provider deals with what customers have signed (DOC-6): it verifies for itself, then adds its seal, or refuses
 * and says why. `leaves` are cases that it does not touch, so that the demonstration shows every status.
 */
export function documentDesk(desk: { portal: PortalClient; authority: Authority; leaves: ReadonlySet<string> }) {
  const { portal, authority, leaves } = desk

  async function waiting(status: DocumentStatus) {
    const cases: string[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: { items: { case: string }[]; next: string | null } = await portal.call(listDocumentCases, {
        query: { status, ...(cursor ? { cursor } : {}) },
      })
      cases.push(...page.items.map((one) => one.case))
      cursor = page.next
    }
    return cases.filter((name) => !leaves.has(name))
  }

  async function verify(name: string): Promise<void> {
    const params = { case: name }
    const { accessCode, signer, upload, document } = await portal.call(getDocumentCase, { params })
    const file = await portal.download(downloadUpload, params)
    const receivedAt = new Date()
    const report = await validatePdf(file, {
      anchors: [{ certificate: authority.certificates.root }],
      intermediates: [authority.certificates.issuing],
      crls: await Promise.all([authority.revocationList('root'), authority.revocationList('issuing')]),
      receivedAt,
      signer: { identifier: signer },
      revocation: 'required',
      signingCertificate: 'v2',
      qualified: true,
      ...(accessCode ? { password: accessCode } : {}),
    })
    // A person would look at both documents here; the demonstration has none.
    const isWaiting = upload?.report.problems.some(({ severity }) => severity === 'wait')
    if (isWaiting || report.verdict !== 'accepted' || upload?.report.document === 'other') {
      const reason = isWaiting ? 'changed' : reasonOf(report)
      await portal.call(refuseUpload, { params, body: { reason, note: null } })
      return
    }
    const sealed = await sealWithProof(file, authority, {
      reason: document,
      at: receivedAt,
      password: accessCode ?? undefined,
    })
    await portal.upload(countersign, params, sealed)
  }

  return {
    work: () =>
      workThrough([
        { waiting: () => waiting('subscriber-uploaded'), act: verify },
        {
          waiting: () => waiting('issuer-uploaded'),
          act: (name) => portal.call(finishDocumentCase, { params: { case: name } }),
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
}

function reasonOf({ problems, signatures }: DocumentReport): RefusalReason {
  const codes = [...problems, ...signatures.flatMap((one) => one.problems)]
    .filter(({ severity }) => severity === 'refuse')
    .map(({ code }) => code)
  return codes.map((code) => reasons[code]).find((reason) => reason !== undefined) ?? 'signature-invalid'
}
