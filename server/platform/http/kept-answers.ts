import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** An answer that clients may keep, if they ask each time whether it has changed (RFC 9110 §13.1.2). */
type KeptAnswer = { content: Buffer; etag: string }

export const keptAnswer = (content: Buffer): KeptAnswer => ({
  content,
  etag: `"${createHash('sha256').update(content).digest('base64url')}"`,
})

/** The content, or undefined with 304 for a client that has it already. */
export function sendKept({ method, headers }: FastifyRequest, reply: FastifyReply, { content, etag }: KeptAnswer) {
  reply.header('etag', etag).header('cache-control', 'private, no-cache')
  const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim())
  // Fastify cannot leave out the content of a HEAD twice.
  const isKnown = method === 'GET' && known.some((tag) => tag === etag || tag === `W/${etag}` || tag === '*')
  if (isKnown) reply.code(304)
  return isKnown ? undefined : content
}

/** What an endpoint returns whose reply may be kept: the same object for as long as nothing in it has changed, and when it was read. */
export type KeptReply<R> = { reply: R; at: Date }

/** The answers of such an endpoint. Only the newest reply is kept, so that each is checked and encoded once. */
export function keptReplies(checked: (reply: unknown) => unknown) {
  let newest: { reply: unknown; answer: KeptAnswer } | undefined
  const answerFor = (reply: unknown) => {
    if (newest && newest.reply === reply) return newest.answer
    const answer = keptAnswer(Buffer.from(JSON.stringify(checked(reply))))
    newest = { reply, answer }
    return answer
  }
  return (request: FastifyRequest, reply: FastifyReply, result: KeptReply<unknown>) => {
    reply.header('date', result.at.toUTCString()).type('application/json; charset=utf-8')
    return sendKept(request, reply, answerFor(result.reply)) ?? null
  }
}
