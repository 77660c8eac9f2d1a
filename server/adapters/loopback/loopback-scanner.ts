import { createServer, type AddressInfo, type Socket } from 'node:net'

/** Starts a scanner for tests, which reads INSTREAM as clamd(8) does and then answers; at a path, a port, or any port. */
export async function listenAsScanner(answer: (content: Buffer, socket: Socket) => void, address: string | number = 0) {
  const server = createServer((socket) => {
    let buffered = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (part: Buffer) => {
      buffered = Buffer.concat([buffered, part])
      const content = instream(buffered)
      if (content) answer(content, socket)
    })
  })
  await new Promise<void>(
    (resolve) =>
      void (typeof address === 'string'
        ? server.listen(address, resolve)
        : server.listen(address, '127.0.0.1', resolve)),
  )
  const port = typeof address === 'string' ? 0 : (server.address() as AddressInfo).port
  return {
    at: typeof address === 'string' ? address : `127.0.0.1:${port}`,
    port,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}

/** Returns the whole content once the empty chunk has arrived. */
function instream(buffered: Buffer): Buffer | undefined {
  const command = 'zINSTREAM\0'
  if (buffered.subarray(0, command.length).toString() !== command) return undefined
  const parts: Buffer[] = []
  for (let at = command.length; at + 4 <= buffered.length;) {
    const length = buffered.readUInt32BE(at)
    if (length === 0) return Buffer.concat(parts)
    parts.push(buffered.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return undefined
}
