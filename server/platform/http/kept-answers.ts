import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** An answer that clients may keep, if they ask each time whether it has changed (RFC 9110 §13.1.2). */
type KeptAnswer = { content: Buffer; etag: string }

export const keptAnswer = (content: Buffer): KeptAnswer => ({
  content,
  etag: `"${createHash('sha256').update(content).digest('base64url')}"`,
})

/**
 * The content, or nothing with 304 for a client that has it already. `headers`, which describe the content, are not in that, because a client
 * would take them for those of what it has (RFC 9111 §3.2).
 */
export function sendKept(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: KeptAnswer,
  headers: Record<string, string>,
) {
  reply.headers({ etag: answer.etag, 'cache-control': 'private, no-cache' })
  return isKnown(request, answer) ? reply.code(304).send() : reply.headers(headers).send(answer.content)
}

function isKnown({ method, headers }: FastifyRequest, { etag }: KeptAnswer) {
  const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim())
  // Fastify cannot leave out the content of a HEAD twice.
  return method === 'GET' && known.some((tag) => tag === etag || tag === `W/${etag}` || tag === '*')
}

/**
 * What an endpoint returns whose reply may be kept: the same object for as long as nothing in it has changed, and when it was read. `charge`
 * comes before the content is sent, and is spared for a client that has it already.
 */
export type KeptReply<R> = { reply: R; at: Date; charge?: () => Promise<void> }

/** The answers of such an endpoint. Only the newest reply is kept, so that each is checked and encoded once. */
export function keptReplies(checked: (reply: unknown) => unknown) {
  let newest: { reply: unknown; answer: KeptAnswer } | undefined
  const answerFor = (reply: unknown) => {
    if (newest && newest.reply === reply) return newest.answer
    const answer = keptAnswer(Buffer.from(JSON.stringify(checked(reply))))
    newest = { reply, answer }
    return answer
  }
  return async (request: FastifyRequest, reply: FastifyReply, result: KeptReply<unknown>) => {
    const answer = answerFor(result.reply)
    if (!isKnown(request, answer)) await result.charge?.()
    reply.header('date', result.at.toUTCString())
    return sendKept(request, reply, answer, { 'content-type': 'application/json; charset=utf-8' })
  }
}
