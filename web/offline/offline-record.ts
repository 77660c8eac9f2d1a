import type { Session } from '../../contract/session.ts'

/**
 * Last replies that the browser keeps while one customer is signed in: one record, so that it is replaced and deleted as a whole (R160).
 */
export type KeptRecord = {
  session: Session
  /** Time when the session was received, by this browser's clock. */
  receivedAt: number
  /** Replies by the path of the call. */
  replies: Record<string, KeptReply>
}
export type KeptReply = {
  reply: unknown
  /** Time when it was received. */
  at: number
}

/** A page or a read that has not arrived after this is replaced by what is kept, until it does. */
export const patienceMs = 5000

/** The cache that holds the record and nothing else. The service worker and every page can delete it at once. */
export const keptCache = 'kept'
const address = '/kept'

export const forgetKept = () => caches.delete(keptCache)

/** Checks whether the record has ended: with the session, or because the clock shows a time before the session was received. */
export function isOver({ session, receivedAt }: Pick<KeptRecord, 'session' | 'receivedAt'>, now: number) {
  const age = now - receivedAt
  return !(age >= 0 && age < Date.parse(session.endsAt) - Date.parse(session.now))
}

/** Returns the replies of this customer; undefined if the record is another customer's. */
export const repliesOf = (record: KeptRecord | undefined, login: string | undefined) =>
  record?.session.customer.login === login ? record?.replies : undefined

/** Returns the record, unless its session is over; then it is deleted. */
export async function readKept(): Promise<KeptRecord | undefined> {
  const answer = await caches.match(address, { cacheName: keptCache })
  const record = (await answer?.json()) as KeptRecord | undefined
  if (!record || !isOver(record, Date.now())) return record
  await forgetKept()
  return undefined
}

export const writeKept = async (record: KeptRecord) =>
  (await caches.open(keptCache)).put(address, Response.json(record))
