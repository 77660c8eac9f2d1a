import { currentSession, followSession, startSession } from '../app/session.tsx'
import { forgetKept, readKept, repliesOf, writeKept, type KeptRecord, type KeptReply } from './offline-record.ts'

/**
 * The last known lists of the customer who is signed in, for a page that opens without a network (OFF-2, decision 0109). Storage
 * may be blocked or full: then nothing is kept, and nothing else is different.
 */
const flushAfterMs = 1000

/** New replies, each with its customer's login: after the end of a session another customer may sign in without a new document. */
const pendingReplies = new Map<string, KeptReply & { login: string }>()
let planned: ReturnType<typeof setTimeout> | undefined
/** Reading and writing in turn, so that a deletion is never followed by the end of an earlier writing. */
let turn: Promise<unknown> = Promise.resolve()

function enqueue<T>(work: () => Promise<T>): Promise<T | undefined> {
  const done = turn.then(work).catch(() => undefined)
  turn = done
  return done
}

/** Keeps a reply, together with those that follow soon. */
export function keepReply(path: string, reply: KeptReply) {
  const login = currentSession()?.session.customer.login
  if (!login) return
  pendingReplies.set(path, { ...reply, login })
  planned ??= setTimeout(() => void enqueue(flush), flushAfterMs)
}

async function flush() {
  planned = undefined
  const current = currentSession()
  if (!current) return
  const { login } = current.session.customer
  const written = [...pendingReplies].filter(([, reply]) => reply.login === login)
  const replies = Object.fromEntries(written.map(([path, { reply, at }]) => [path, { reply, at }]))
  const record = { ...current, replies: { ...ownReplies(await readKept()), ...replies } }
  if (currentSession() !== current) return
  await writeKept(record)
  for (const [path, reply] of written) if (pendingReplies.get(path) === reply) pendingReplies.delete(path)
}

/** Deletes the kept replies at once, because the page may be left at once, and again after a write that is in progress. */
function deleteKeptReplies() {
  clearTimeout(planned)
  planned = undefined
  pendingReplies.clear()
  void Promise.resolve()
    .then(forgetKept)
    .catch(() => undefined)
  void enqueue(forgetKept)
}

/** Deletes what another customer has left, before anything of this one is kept. */
const forgetOthers = () =>
  enqueue(async () => {
    if (!ownReplies(await readKept())) await forgetKept()
  })

const ownReplies = (record: KeptRecord | undefined) => repliesOf(record, currentSession()?.session.customer.login)

if (!import.meta.env.SSR)
  followSession(() => {
    if (!currentSession()) return deleteKeptReplies()
    void forgetOthers()
    // An extended session lets its replies be kept for longer.
    planned ??= setTimeout(() => void enqueue(flush), flushAfterMs)
  })

/** Returns the reply that was kept for the customer who is signed in. */
export async function readKeptReply(path: string): Promise<KeptReply | undefined> {
  return ownReplies(await enqueue(readKept))?.[path]
}

/** Starts with the session that was kept; false if there is none any more. */
export async function resumeKeptSession(): Promise<boolean> {
  const record = await enqueue(readKept)
  if (record && !currentSession()) startSession(record.session, record.receivedAt)
  return !!record
}
