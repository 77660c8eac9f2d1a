import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

/** Holds a connection with what `prepare` does on it, such as locks of the session; opens another one when it is lost. */
export function holdConnection(
  url: string,
  prepare: (client: pg.Client) => Promise<void>,
): { close: () => Promise<void> } {
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
    next.on('error', () => {})
    next.once('end', () => {
      if (!closed) retry = setTimeout(() => void connect(), 1000)
    })
    try {
      await next.connect()
      await prepare(next)
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
