import type { SignatureFound, UploadReport } from '../../../contract/document-report.ts'

const signature = (over: Partial<SignatureFound> = {}): SignatureFound => ({
  kind: 'signature',
  signer: 'Małgorzata Wiśniewska',
  issuer: 'Sygnet QCA',
  intact: true,
  coversWholeDocument: true,
  trusted: true,
  revocation: 'good',
  claimedAt: '2026-11-21T09:42:00.000Z',
  provenAt: '2026-11-21T09:42:05.000Z',
  level: 'B-T',
  problems: [],
  ...over,
})

/** What the check of an upload can say. */
export const reports = {
  accepted: { verdict: 'accepted', document: 'same-bytes', problems: [], signatures: [signature()] },
  pending: {
    verdict: 'pending',
    document: 'same-content',
    problems: [],
    signatures: [
      signature({
        provenAt: null,
        revocation: 'unknown',
        problems: [
          { code: 'revocation-unknown', severity: 'wait' },
          { code: 'padding', severity: 'remark' },
        ],
      }),
    ],
  },
  different: {
    verdict: 'pending',
    document: 'same-content',
    problems: [{ code: 'looks-different', severity: 'wait' }],
    signatures: [signature()],
  },
  refused: {
    verdict: 'refused',
    document: 'other',
    problems: [{ code: 'other-document', severity: 'refuse' }],
    signatures: [
      signature({
        signer: 'Tomasz Czekaj',
        intact: false,
        coversWholeDocument: false,
        trusted: false,
        problems: [
          { code: 'other-signer', severity: 'refuse' },
          { code: 'path-untrusted', severity: 'refuse' },
          { code: 'changed-after-signing', severity: 'refuse' },
        ],
      }),
    ],
  },
} satisfies Record<string, UploadReport>
