import { Readable } from 'node:stream'
import type { Act } from '../../contract/acts.ts'
import type { FastifyInstance } from 'fastify'
import type { UploadReport } from '../../contract/document-report.ts'
import { finishSigning, listSigners, resendSigningCode, startSigning } from '../../contract/documents.ts'
import { limits } from '../../contract/limits.ts'
import { raiseAlarm } from '../alarms.ts'
import { record } from '../audit.ts'
import { spend, type Budget } from '../budgets.ts'
import { actOn, refusalOf, unsent } from '../code-answers.ts'
import { enterCode, giveBack, openCodeOnce, resendCode, spendCode, voidCodes, type Operation } from '../codes.ts'
import { caseOf, moveCase, refusedIn, type CaseRow } from '../document-cases.ts'
import { dropFile } from '../document-files.ts'
import { tellOfDocument } from '../document-mails.ts'
import { Failed } from '../failure.ts'
import { serve } from '../http.ts'
import { withProof } from '../long-term.ts'
import type { Portal } from '../portal.ts'
import { signPrepared } from '../remote-signing.ts'
import { phoneOf } from '../sealed-fields.ts'
import type { LiveSession } from '../session.ts'
import { findCase, nameUpload } from './document-queries.ts'
import { prepared, signersOf, type ReadySignature } from './signing-preparation.ts'
import { endSigning, findSigning, putSigning, type Signing } from './signing-queries.ts'
import { stageSigned } from './upload-check.ts'

const signings: Budget = { name: 'document-signings', ...limits.documents.signings }

const operationOf = ({ accountId, id: sessionId }: LiveSession, { id, documentSha256 }: Signing): Operation => ({
  accountId,
  sessionId,
  purpose: 'sign-document',
  object: id,
  mark: documentSha256.slice(0, 8),
})

/** DOC-9: a case is signed with the customer's own cloud signature, for which the portal proves the SMS code. */
export function serveSigningInPlace(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal

  /** The owner's case, where it can be signed. */
  async function openCase({ accountId }: LiveSession, id: string): Promise<CaseRow> {
    const row = await findCase(db, accountId, id)
    if (!row) throw new Failed('not-found')
    if (row.status !== 'subscriber-downloaded') throw new Failed('state-passed', refusedIn(row.status))
    return row
  }

  const recipientOf = async ({ accountId, locale }: LiveSession, address: string) => ({
    phone: await phoneOf(db, keys, accountId),
    locale,
    address,
  })

  type Told = { [name: string]: string }
  const tell = (act: Act, row: CaseRow, address: string, details: Told) =>
    db.transaction().execute((tx) =>
      record(tx, {
        act,
        accountId: row.owner,
        actor: 'customer',
        address,
        details: { documentCase: row.id, ...details },
      }),
    )

  serve(app, portal, listSigners, async ({ params, session }) => {
    const row = await openCase(session, params.id)
    const signers = await signersOf(portal, row)
    return { signers: signers.map(({ shown }) => shown) }
  })

  serve(app, portal, startSigning, async ({ params, body, session, address, fail }) => {
    const row = await openCase(session, params.id)
    const signer = (await signersOf(portal, row)).find(({ shown }) => shown.id === body.signer)
    if (!signer) throw fail('signer-unknown')
    const paid = await spend(db, keys, signings, row.owner)
    if (!paid.ok) throw fail('too-many-attempts', { retryAfter: paid.retryAfter })

    // Begun again for the same thing, the code that is on its way is still the one that counts.
    const before = await findSigning(db, row.id)
    const kept = before?.sessionId === session.id && before.signatureId === signer.shown.id ? before : undefined
    let signing: Signing | undefined
    if (kept) {
      const again = await prepared(portal, row, signer, kept.claimedAt)
      if (again.binding === kept.binding) signing = kept
    }
    if (!signing) {
      const claimedAt = new Date(Math.floor(session.now.getTime() / 1000) * 1000)
      const fresh = await prepared(portal, row, signer, claimedAt)
      signing = {
        id: crypto.randomUUID(),
        sessionId: session.id,
        signatureId: signer.shown.id,
        documentSha256: fresh.sha256,
        binding: fresh.binding,
        claimedAt,
      }
    }
    const chosen = signing
    const to = await recipientOf(session, address)
    const code = await db.transaction().execute(async (tx) => {
      if (chosen !== kept) {
        if (before) await voidCodes(tx, 'sign-document', before.id)
        await putSigning(tx, row.id, chosen)
      }
      const sent = await openCodeOnce(tx, portal, operationOf(session, chosen), to)
      if ('refused' in sent) throw unsent(sent)
      await record(tx, {
        act: 'document-signing-started',
        accountId: row.owner,
        actor: 'customer',
        address,
        details: { documentCase: row.id, signature: chosen.signatureId, sha256: chosen.documentSha256 },
      })
      return sent
    })
    return { sha256: chosen.documentSha256, code }
  })

  /** The signing that this session has begun; its code is void once another one has taken its place. */
  async function begun(row: CaseRow, session: LiveSession): Promise<Signing> {
    const signing = await findSigning(db, row.id)
    if (signing?.sessionId !== session.id) throw new Failed('code-void')
    return signing
  }

  serve(app, portal, resendSigningCode, async ({ params, session, address, fail }) => {
    const row = await findCase(db, session.accountId, params.id)
    if (!row) throw fail('not-found')
    if (row.status !== 'subscriber-downloaded') throw fail('signing-changed')
    const signing = await begun(row, session)
    const to = await recipientOf(session, address)
    return db.transaction().execute(async (tx) => {
      const sent = await resendCode(tx, portal, operationOf(session, signing), to)
      if ('refused' in sent) throw unsent(sent)
      return sent
    })
  })

  serve(app, portal, finishSigning, async ({ params, body, session, address, fail }) => {
    const row = await openCase(session, params.id)
    const signing = await begun(row, session)
    const entry = await enterCode(db, portal, operationOf(session, signing), body.code)
    if (!entry.ok) throw refusalOf(entry)
    const { signer, ready } = await readyToSign(row, signing).catch(async (error: unknown) => {
      await giveBack(db, portal, entry)
      throw error
    })
    if (ready.binding !== signing.binding || !signer) {
      await giveBack(db, portal, entry)
      await db.transaction().execute((tx) => voidCodes(tx, 'sign-document', signing.id))
      await tell('document-signing-voided', row, address, { sent: signing.documentSha256, found: ready.sha256 })
      throw fail('signing-changed')
    }
    // From here on the code is spent and the signing over, so one signature at most is asked for.
    await actOn(portal, entry, async (tx) => {
      if (!(await spendCode(tx, portal, entry)) || !(await endSigning(tx, signing.id))) throw fail('code-void')
    })
    const signed = await signPrepared(portal.ports, ready, {
      credential: signer.credential,
      description: `${row.application} ${row.document}`,
    })
    if (typeof signed === 'string') {
      await tell('document-signing-failed', row, address, { sha256: signing.documentSha256, why: signed })
      throw fail(signed === 'unreachable' ? 'unavailable' : 'signing-refused')
    }
    // The signature is made and cannot be made again: whatever goes wrong with its proof, it is handed over.
    const lasting = await withProof(portal, signed, session.now).catch(() => undefined)
    const fits = lasting && lasting.length <= limits.http.pdfBytes
    if (!fits && portal.ports.revocation)
      raiseAlarm(portal, { name: 'validation-data-missing', about: 'documents signed in the portal' })
    return handOver(row, signing, fits ? lasting : signed, { session, address })
  })

  /** What would be signed now; without the signer, what the signing was begun for cannot be. */
  async function readyToSign(
    row: CaseRow,
    signing: Signing,
  ): Promise<{
    signer: ReadySignature | undefined
    ready: { binding: string; sha256: string } & Parameters<typeof signPrepared>[1]
  }> {
    const signer = (await signersOf(portal, row)).find(({ shown }) => shown.id === signing.signatureId)
    return { signer, ready: await prepared(portal, row, signer, signing.claimedAt) }
  }

  /** The way of every upload: checked, and then handed over by the one conditional move (R51). */
  async function handOver(
    row: CaseRow,
    signing: Signing,
    signed: Uint8Array,
    { session, address }: { session: LiveSession; address: string },
  ) {
    const content = Readable.from([Buffer.from(signed.buffer, signed.byteOffset, signed.length)])
    const { file, report } = await stageSigned(portal, { row, content, receivedAt: session.now, address })
    if (report.verdict === 'refused') {
      await dropFile(portal, file.id)
      throw new Failed('upload-refused')
    }
    return db.transaction().execute(async (tx) => {
      if (!(await moveCase(tx, row.id, 'subscriber-uploaded', { version: row.version })))
        throw new Failed('state-passed', refusedIn((await findCase(tx, row.owner, row.id))!.status))
      const moved = await nameUpload(tx, row, file.id)
      await tellOfDocument(tx, portal, moved, { news: 'received' })
      await record(tx, {
        act: 'document-signed-in-place',
        accountId: row.owner,
        actor: 'customer',
        address,
        details: {
          documentCase: row.id,
          signature: signing.signatureId,
          document: signing.documentSha256,
          sha256: file.sha256,
          level: levelOf(report),
        },
      })
      return caseOf(portal, moved)
    })
  }
}

/** Of the signature that has just been made; it is B-LT unless the authorities could not be asked. */
const levelOf = ({ signatures }: UploadReport) => signatures.findLast(({ kind }) => kind === 'signature')?.level ?? ''
