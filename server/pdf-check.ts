import type { UploadReport } from '../contract/document-report.ts'
import { limits } from '../contract/limits.ts'
import type { CertificateContent } from '../pki/certificate.ts'
import { issuedFile } from '../pki/pades-issued.ts'
import type { CertificateChain, DocumentReport, SignatureReport } from '../pki/pades-report.ts'
import { validatePdf } from '../pki/pades-validate.ts'
import { nodeTools } from '../pki/pdf-cipher-node.ts'
import { decryptPdf } from '../pki/pdf-rewrite.ts'
import type { PdfTaskResult } from './pdf-child.ts'
import type { CheckTask } from './pdf-work.ts'
import type { Verification } from './ports/ports.ts'

export async function checkFile(task: CheckTask, [file, issued]: Uint8Array[]): Promise<PdfTaskResult> {
  return { said: await check(task, file!, issued) }
}

async function check(
  { password, signer, receivedAt, trust, forms }: CheckTask,
  bytes: Uint8Array,
  issued: Uint8Array | undefined,
): Promise<(Verification & { unproven?: ChainReply[] }) | { undecided: true }> {
  const report = await validatePdf(bytes, {
    ...trust,
    receivedAt,
    password,
    signer: { identifier: signer },
    issued: issued ? [issued, await decryptPdf(issued, { password }, nodeTools)].map(issuedFile) : forms,
    revocation: 'required',
    signingCertificate: 'v2',
    qualified: true,
  })
  const unread = report.problems.map(({ code }) => unreadable[code as keyof typeof unreadable]).find(Boolean)
  if (unread) return { readable: false, why: unread }
  if (report.issued === 'undecided') return { undecided: true }
  return { readable: true, report: reportOf(report), unproven: chainReplies(report.unproven) }
}

/** A path of certificates, in base64, and the time at which they have to have been good. */
export type ChainReply = { path: string[]; at: string }

/** Each certificate once, and no more than the portal takes. */
export function chainReplies(all: CertificateChain[]): ChainReply[] {
  const chains = new Map<string, ChainReply>()
  for (const { path, at } of all) {
    const reply = { path: path.map((der) => Buffer.from(der).toString('base64')), at: at.toISOString() }
    chains.set(reply.path[0]!, reply)
  }
  return [...chains.values()].slice(0, limits.revocation.certificates)
}

type Unreadable = Extract<Verification, { readable: false }>['why']

const unreadable = {
  'not-pdf': 'damaged',
  damaged: 'damaged',
  'too-large': 'damaged',
  encrypted: 'encrypted',
  'wrong-password': 'encrypted',
  'too-costly': 'too-costly',
} satisfies Record<string, Unreadable>

type ReadProblem = Exclude<DocumentReport['problems'][number]['code'], keyof typeof unreadable>

function reportOf({ verdict, issued, problems, signatures }: DocumentReport): UploadReport {
  return {
    verdict,
    document: issued === 'same-bytes' || issued === 'same-content' ? issued : 'other',
    problems: problems.map(({ code, severity }) => ({ code: code as ReadProblem, severity })),
    signatures: signatures.map(foundOf),
  }
}

const commonName = (attributes: CertificateContent['subject'] | undefined) =>
  attributes?.find(({ name }) => name === 'CN')?.value ?? null

function foundOf(one: SignatureReport): UploadReport['signatures'][number] {
  return {
    kind: one.kind,
    signer: commonName(one.signer?.subject),
    issuer: commonName(one.signer?.issuer),
    intact: one.intact,
    coversWholeDocument: one.coversWholeDocument,
    trusted: one.trusted,
    revocation: one.revocation.status,
    claimedAt: instant(one.claimedAt),
    provenAt: instant(one.provenAt),
    level: one.level ?? null,
    problems: one.problems.map(({ code, severity }) => ({ code, severity })),
  }
}

/** A claimed time may be any, and one that no instant can be is none. */
function instant(at: Date | undefined): string | null {
  const year = at?.getUTCFullYear()
  return year !== undefined && year >= 1 && year <= 9999 ? at!.toISOString() : null
}
