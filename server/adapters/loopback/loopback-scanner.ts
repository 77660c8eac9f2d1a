import { createServer, type AddressInfo, type Socket } from 'node:net'

/** For tests: a scanner that reads INSTREAM as clamd(8) has it, and then answers; at a path, a port, or any port. */
export async function listenAsScanner(answer: (content: Buffer, socket: Socket) => void, place: string | number = 0) {
  const server = createServer((socket) => {
    let held = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (part: Buffer) => {
      held = Buffer.concat([held, part])
      const content = instream(held)
      if (content) answer(content, socket)
    })
  })
  await new Promise<void>(
    (resolve) =>
      void (typeof place === 'string' ? server.listen(place, resolve) : server.listen(place, '127.0.0.1', resolve)),
  )
  const port = typeof place === 'string' ? 0 : (server.address() as AddressInfo).port
  return {
    at: typeof place === 'string' ? place : `127.0.0.1:${port}`,
    port,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}

/** The whole content once the empty chunk has come. */
function instream(held: Buffer): Buffer | undefined {
  const command = 'zINSTREAM\0'
  if (held.subarray(0, command.length).toString() !== command) return undefined
  const parts: Buffer[] = []
  for (let at = command.length; at + 4 <= held.length;) {
    const length = held.readUInt32BE(at)
    if (length === 0) return Buffer.concat(parts)
    parts.push(held.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return undefined
}
