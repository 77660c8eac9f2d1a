import pg from 'pg'
import type { Listen } from './outbox.ts'

/**
 * LISTEN on a connection of its own. While it is down, notices are missed; listeners look on their own as well. `greet` is
 * done whenever it was opened.
 */
export const listenOn =
  (url: string, greet?: (client: pg.Client) => Promise<void>): Listen =>
  (channel, onNotice) => {
    let closed = false
    let client: pg.Client | undefined
    let retry: NodeJS.Timeout | undefined
    const connect = async () => {
      const next = new pg.Client({ connectionString: url })
      client = next
      next.on('notification', onNotice)
      next.on('error', () => {})
      next.once('end', () => {
        if (!closed) retry = setTimeout(() => void connect(), 1000)
      })
      try {
        await next.connect()
        await next.query(`listen ${next.escapeIdentifier(channel)}`)
        await greet?.(next)
      } catch {
        await next.end().catch(() => {})
      }
    }
    const connecting = connect()
    return {
      async close() {
        closed = true
        clearTimeout(retry)
        await connecting
        await client?.end().catch(() => {})
      },
    }
  }
