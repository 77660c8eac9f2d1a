import { connect } from 'node:net'
import { connect as connectSafely, type ConnectionOptions } from 'node:tls'

/** An answer as it was sent; header names in lower case, repeated ones joined by a line break. */
export type WireAnswer = { status: number; headers: Record<string, string>; body: string }

/** A raw connection to a node, or by TLS to its reverse proxy, for what no HTTP client sends. */
export function openWire(origin: string, tls?: ConnectionOptions) {
  const { hostname, port, host } = new URL(origin)
  const at = { host: hostname, port: Number(port) }
  const socket = tls ? connectSafely({ ...at, ...tls }) : connect(at)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // A reset is an answer too: the data before it is kept.
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const text = () => Buffer.concat(chunks).toString('latin1')
  return {
    host,
    socket,
    closed,
    text,
    write: (part: string | Buffer) => new Promise<void>((resolve) => socket.write(part, () => resolve())),
    /** Everything received until the server closed the connection. */
    async untilClosed() {
      await closed
      return text()
    },
    async [Symbol.asyncDispose]() {
      socket.destroy()
      await closed
    },
  }
}

/** Sends bytes unchanged and returns everything received until the server closes; the caller sends `Connection: close`. */
export async function exchange(origin: string, request: string | Buffer, tls?: ConnectionOptions): Promise<string> {
  await using wire = openWire(origin, tls)
  await wire.write(request)
  return await wire.untilClosed()
}

/** Parses consecutive answers. */
export function readAnswers(text: string): WireAnswer[] {
  const answers: WireAnswer[] = []
  let rest = text
  while (rest) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) throw new Error(`not HTTP: ${JSON.stringify(rest.slice(0, 200))}`)
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers: Record<string, string> = {}
    for (const line of lines) {
      const at = line.indexOf(':')
      const name = line.slice(0, at).toLowerCase()
      const value = line.slice(at + 1).trim()
      headers[name] = name in headers ? `${headers[name]}\n${value}` : value
    }
    rest = rest.slice(end + 4)
    const length = Number(headers['content-length'] ?? (headers['transfer-encoding'] ? rest.length : 0))
    answers.push({ status: Number(first.split(' ')[1]), headers, body: rest.slice(0, length) })
    rest = rest.slice(length)
  }
  return answers
}

/** Sends a raw request and returns its answer. */
export async function requestRaw(
  origin: string,
  request: string | Buffer,
  tls?: ConnectionOptions,
): Promise<WireAnswer> {
  const [answer] = readAnswers(await exchange(origin, request, tls))
  if (!answer) throw new Error('closed without an answer')
  return answer
}
