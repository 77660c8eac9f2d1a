import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net'
import { join } from 'node:path'

/**
 * A fault of a network or its far end. `slow`: every chunk is late. `cut`: the answer breaks off in its middle. `swallowed`:
 * nothing comes through in either direction, and neither end notices; connections of that time stay dead (half-open).
 * `trickling`: answers come byte by byte.
 */
type WireFault = 'slow' | 'cut' | 'swallowed' | 'trickling'

export type FaultyWire = Awaited<ReturnType<typeof openFaultyWire>>

/** The milliseconds by which a chunk is late, or between two bytes. */
const lateMs = 50

/** Opens a port on loopback that forwards to another server and can inject faults. */
export async function openFaultyWire(onward: NetConnectOpts) {
  const near = new Set<Socket>()
  const far = new Set<Socket>()
  const held = new Set<Socket>()
  const dead = new WeakSet<Socket>()
  const all = () => [...near, ...far]
  let fault: WireFault | undefined
  let isFrozen = false

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const target = connect({ ...onward, allowHalfOpen: true })
    near.add(client)
    held.add(client)
    client.on('end', () => held.delete(client))
    client.on('close', () => held.delete(client))
    far.add(target)
    for (const socket of [client, target]) socket.on('error', () => {})
    pass(client, target, false)
    pass(target, client, true)
  })

  function pass(from: Socket, to: Socket, isAnswer: boolean) {
    let passed = Promise.resolve()
    from.on('data', (piece: Buffer) => {
      if (fault === 'swallowed') for (const socket of [from, to]) dead.add(socket)
      if (dead.has(from)) return
      if (isAnswer && fault === 'cut') {
        to.write(piece.subarray(0, piece.length / 2), () => to.destroy())
        from.destroy()
      } else if (isAnswer && fault === 'trickling') passed = passed.then(() => trickle(piece, to))
      else if (fault === 'slow') passed = passed.then(late).then(() => void to.write(piece))
      else passed = passed.then(() => void to.write(piece))
    })
    // An end of the stream is swallowed like everything else.
    from.on('end', () => {
      if (fault !== 'swallowed' && !dead.has(from)) void passed.then(() => to.end())
    })
    from.once('close', () => {
      near.delete(from)
      far.delete(from)
      if (!dead.has(from)) void passed.then(() => to.destroy())
    })
    if (isFrozen) from.pause()
  }

  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo

  async function cut() {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of all()) socket.destroy()
    await closed
  }
  return {
    port,
    /** Sets the fault; without one, new connections work again. */
    become(next?: WireFault) {
      fault = next
      if (next === 'swallowed') for (const socket of all()) dead.add(socket)
    },
    /** Connections that the caller has not closed. */
    held: () => held.size,
    /** Stops listening: connections are refused. */
    cut,
    mend: () => listen(port),
    /** Keeps the connections open, but lets nothing through until `thaw`. */
    freeze() {
      isFrozen = true
      for (const socket of all()) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const socket of all()) socket.resume()
    },
    async [Symbol.asyncDispose]() {
      if (server.listening) await cut()
    },
  }
}

const late = () => new Promise<void>((resolve) => setTimeout(resolve, lateMs))

async function trickle(piece: Buffer, to: Socket) {
  for (const byte of piece) {
    if (to.destroyed) return
    to.write(Buffer.from([byte]))
    await late()
  }
}

/** Starts a proxy to the database that can be cut, go silent, or have other faults. */
export async function startDatabaseProxy(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const wire = await openFaultyWire({ path: join(decodeURIComponent(target.hostname), `.s.PGSQL.${target.port}`) })
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${wire.port}`
  return { ...wire, url: url.href }
}
