import type { Given } from '../../contract/endpoint.ts'
import { limits } from '../../contract/limits.ts'
import { ActivationContent } from '../../contract/rules/activation-content.ts'
import type { PairingStart } from '../../contract/signatures-and-seals.ts'
import { addAuditEntry } from '../platform/audit/audit.ts'
import { readDatabaseTime, type Db, type Tx } from '../platform/database/database.ts'
import { encryptionOf } from '../platform/encrypted-data/encrypted-columns.ts'
import { mac, type Keys } from '../platform/encryption/keys.ts'
import type { BoundAudit } from '../platform/http/http.ts'
import type { ActivationRequest } from '../platform/messages/message.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import { DeliveryFailed, type ActivationFault } from '../platform/ports.ts'
import { findActivationOrder } from './activation-target-store.ts'
import { createPairing, type AppLabel } from './app-pairing.ts'
import {
  failRequest,
  findActivation,
  requestContent,
  setContent,
  setSecret,
  takeContent,
  type EncryptedContent,
  type Paired,
} from './pairing-store.ts'

// Activates signing apps for signatures and seals, by the configured option (APP-1).

const contentOf = ({ kind }: Paired) => encryptionOf(kind === 'signature' ? 'pairings' : 'seal_pairings', 'content')

/** Encrypts content for its pairing; it cannot be decrypted for another one (R129). */
export function encryptContent(
  keys: Keys,
  paired: Paired,
  { content, code, expiresAt }: ActivationContent,
): EncryptedContent {
  const { encrypt, contextOf } = contentOf(paired)
  return {
    content: encrypt(keys, paired.id, JSON.stringify({ content, code })),
    mac: mac(keys.index, contextOf(paired.id), content),
    expiresAt,
  }
}

type Showing = {
  tx: Tx
  audit: BoundAudit
  now: Date
  paired: Paired
  /** The details of the audit entries. */
  details: { [name: string]: string }
  /** The label of the portal's own secret in the app. */
  label: AppLabel
}

/** Shows what the app scans, or requests it; undefined if the access has ended meanwhile. */
export async function startActivation(
  portal: Portal,
  showing: Showing,
): Promise<Given<typeof PairingStart> | undefined> {
  const { tx, audit, now, paired, details } = showing
  const { by } = portal.ports.appActivation
  if (by === 'portal') return startOwnSecret(portal, showing)
  const ready = await showContent(portal, showing)
  if (ready) return ready
  const request = crypto.randomUUID()
  // Content that arrives between the read and the request is shown, too.
  if (!(await requestContent(tx, paired, request))) return (await showContent(portal, showing)) ?? { kind: 'requested' }
  await audit('pairing-requested', { ...details, by })
  const message: ActivationRequest = { kind: paired.kind, paired: paired.id, request }
  const dropAt = new Date(now.getTime() + limits.activation.requestLife * 1000)
  if (by === 'service') await enqueue(tx, portal.keys, { channel: 'app-activation', ...message }, dropAt)
  return { kind: 'requested' }
}

async function showContent(
  { keys }: Portal,
  { tx, audit, now, paired, details }: Showing,
): Promise<Given<typeof PairingStart> | undefined> {
  const taken = await takeContent(tx, paired)
  if (!taken) return undefined
  await audit('pairing-started', details)
  const { content, code } = JSON.parse(contentOf(paired).decrypt(keys, paired.id, taken.content)) as ActivationContent
  const until = Math.min(taken.expiresAt.getTime(), now.getTime() + limits.pairing.visible * 1000)
  return { kind: 'content', content, code, visibleUntil: new Date(until), now }
}

async function startOwnSecret(portal: Portal, { tx, audit, now, paired, details, label }: Showing) {
  const { encrypted, shown } = await createPairing(tx, portal, { paired, now, label })
  if (!(await setSecret(tx, paired, encrypted))) return undefined
  await audit('pairing-started', details)
  return shown
}

/** Reads the state that the dialog polls while it waits. */
export async function readActivation(db: Db, paired: Paired) {
  const { state, pairedAt } = await findActivation(db, paired)
  return { state, pairedAt }
}

/** Requests what an app scans from the signing service (APP-3). While the service does not answer, the outbox retries. */
export async function deliverActivationRequest(portal: Portal, { kind, paired: id, request }: ActivationRequest) {
  const { db, keys } = portal
  const { appActivation } = portal.ports
  const paired: Paired = { kind, id }
  const waiting = await findActivation(db, paired)
  if (appActivation.by !== 'service' || waiting.request !== request) return
  const found = await findActivationOrder(db, keys, paired, request)
  if (!found) return
  const { order, details } = found
  const answer = await appActivation.request(order)
  if (answer === 'accepted') return
  if (answer === 'unreachable') {
    await failRequest(db, paired, request, 'delayed')
    throw new DeliveryFailed(
      'The service that activates signing apps does not answer: check APP_ACTIVATION_URL.',
      false,
    )
  }
  const refuse = async (fault?: ActivationFault) => {
    if ((await failRequest(db, paired, request, 'refused')) && fault) appActivation.report(fault)
  }
  if (answer === 'refused') return refuse()
  if (!isLive(answer, await readDatabaseTime(db)))
    return refuse('its content has expired already, or stays for more than 90 days')
  const stored = await db.transaction().execute(async (tx) => {
    const result = await setContent(tx, paired, encryptContent(keys, paired, answer), request)
    if (result === 'stored')
      await addAuditEntry(tx, { action: 'activation-stored', accountId: order.account, actor: 'system', details })
    return result
  })
  if (stored === 'shown') await refuse('its content was shown before')
}

/** Checks whether content can be stored: it has not expired, and expires within the allowed time (R130). */
export function isLive({ expiresAt }: ActivationContent, now: Date): boolean {
  const left = Date.parse(expiresAt) - now.getTime()
  return left > 0 && left <= limits.activation.maxLife * 1000
}
