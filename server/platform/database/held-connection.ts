import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

/** A machine that loses its power closes no connection, and PostgreSQL would keep its locks for two hours. */
const noticeLostMachine =
  'set tcp_keepalives_idle to 10; set tcp_keepalives_interval to 5; set tcp_keepalives_count to 3'

/**
 * Holds a connection with what `prepare` does on it, such as locks of the session; opens another one when it is lost. `failed` is
 * called with why a connection could not be opened or prepared, before the next attempt.
 */
export function holdConnection(
  url: string,
  prepare: (client: pg.Client) => Promise<void>,
  failed: (error: unknown) => void = () => {},
): { close: () => Promise<void> } {
  let isClosed = false
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
      if (!isClosed) retry = setTimeout(() => void connect(), 1000)
    })
    try {
      await next.connect()
      await next.query(noticeLostMachine)
      await prepare(next)
    } catch (error) {
      failed(error)
      void next.end().catch(() => {})
    }
  }
  const connecting = connect()
  return {
    async close() {
      isClosed = true
      clearTimeout(retry)
      await connecting
      // A server that is unreachable does not answer the close either (R95).
      await Promise.race([client?.end().catch(() => {}), wait(1000)])
    },
  }
}
