import type { Endpoint } from '../../contract/endpoint.ts'
import { config } from '../app/config.ts'
import { addressOf, ApiError, sendFromPage, sendWithRetry } from './api.ts'

export type UnreadReply = {
  content: Blob
  /** The time of the portal. */
  at: Date
}

/** Calls an endpoint as `call` does, but leaves the reply to be read by a worker: a long reply would block the page. */
export const fetchUnreadReply = (endpoint: Endpoint, body?: object): Promise<UnreadReply> =>
  sendFromPage(endpoint, { optional: true }, async () => {
    const answer = await sendWithRetry(addressOf(config.baseURL, endpoint, {}), {
      method: endpoint.method,
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const content = await answer.blob().catch(() => {
      throw new ApiError('offline')
    })
    return { content, at: new Date(answer.headers.get('date') ?? Date.now()) }
  })
