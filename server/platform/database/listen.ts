import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

/** Listens on a channel of the database; reconnects by itself. */
export type Listen = (channel: string, onNotice: () => void) => { close: () => Promise<void> }

/**
 * LISTEN on a connection of its own. Notices are lost while it is down, so listeners must also poll. `onConnect` runs on each
 * new connection.
 */
export const listenOn =
  (url: string, onConnect?: (client: pg.Client) => Promise<void>): Listen =>
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
        await onConnect?.(next)
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
        // A server that is unreachable does not answer the close either (R95).
        await Promise.race([client?.end().catch(() => {}), wait(1000)])
      },
    }
  }
