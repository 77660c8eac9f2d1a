import { createServer } from 'node:net'

/** Below the ephemeral ports of the system; each worker starts at another one. */
const lowestPort = 20_000
const ports = 12_000
let tried = process.pid * 61

/** A port that is free, and that no other test of this run takes before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowestPort + (tried++ % ports)
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer()
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}
