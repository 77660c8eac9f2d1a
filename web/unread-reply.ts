import type { Endpoint } from '../contract/endpoint.ts'
import { addressOf, ApiError, sendFromPage, sendWithRetry } from './api.ts'
import { config } from './config.ts'

/** As `call`, but unread, for a worker to read: a long reply would block the page. */
export const unreadReply = (endpoint: Endpoint, body?: object): Promise<Blob> =>
  sendFromPage(endpoint, { optional: true }, async () => {
    const answer = await sendWithRetry(addressOf(config.baseURL, endpoint, {}), {
      method: endpoint.method,
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return answer.blob().catch(() => {
      throw new ApiError('offline')
    })
  })
