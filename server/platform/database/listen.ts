import { setTimeout as wait } from 'node:timers/promises'
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
      const next = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: 5000,
        query_timeout: 5000,
        keepAlive: true,
        keepAliveInitialDelayMillis: 30_000,
      })
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
        void next.end().catch(() => {})
      }
    }
    const connecting = connect()
    return {
      async close() {
        closed = true
        clearTimeout(retry)
        await connecting
        // Who does not hear us any more does not answer a farewell either (R95).
        await Promise.race([client?.end().catch(() => {}), wait(1000)])
      },
    }
  }
