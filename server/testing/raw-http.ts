import { connect } from 'node:net'
import { connect as connectSafely, type ConnectionOptions } from 'node:tls'

/** An answer as it was sent. */
export type WireAnswer = {
  status: number
  /** The headers by their names in lower case; repeated ones are joined by a line break. */
  headers: Record<string, string>
  body: string
}

/** Opens a raw connection to a node, or over TLS to its reverse proxy, to send what no HTTP client sends. */
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
    /** Waits until the server closes the connection; returns everything received. */
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

export async function requestRaw(
  origin: string,
  request: string | Buffer,
  tls?: ConnectionOptions,
): Promise<WireAnswer> {
  const [answer] = readAnswers(await exchange(origin, request, tls))
  if (!answer) throw new Error('closed without an answer')
  return answer
}

/** A request after an ambiguous one, which must never be answered. `HOST` is a placeholder. */
export const canary = `GET /api/openapi.json HTTP/1.1\r\nHost: HOST\r\n\r\n`

export const postSignIn =
  'POST /api/sign-in HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST\r\nContent-Type: application/json\r\n'

/** Requests whose end is ambiguous to different parsers (R68), by the reason. */
export const unclearRequests: Record<string, string> = {
  'CL.TE': `${postSignIn}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'TE.CL': `${postSignIn}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n1\r\nx\r\n0\r\n\r\n`,
  'two lengths': `${postSignIn}Content-Length: 2\r\nContent-Length: 0\r\n\r\n{}`,
  'two equal lengths': `${postSignIn}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`,
  'a list of lengths': `${postSignIn}Content-Length: 2, 2\r\n\r\n{}`,
  'a signed length': `${postSignIn}Content-Length: +2\r\n\r\n{}`,
  'a negative length': `${postSignIn}Content-Length: -2\r\n\r\n{}`,
  'a hexadecimal length': `${postSignIn}Content-Length: 0x2\r\n\r\n{}`,
  'a length with a blank in it': `${postSignIn}Content-Length: 0 2\r\n\r\n{}`,
  'an empty length': `${postSignIn}Content-Length:\r\n\r\n`,
  'an overflowing length': `${postSignIn}Content-Length: 18446744073709551618\r\n\r\n{}`,
  'a blank before the colon': `${postSignIn}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
  'a blank before the name': `${postSignIn} Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'an unknown coding': `${postSignIn}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  'chunked not last': `${postSignIn}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  'chunked twice': `${postSignIn}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`,
  'a quoted coding': `${postSignIn}Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n`,
  'a control in the coding': `${postSignIn}Transfer-Encoding: \u000bchunked\r\n\r\n0\r\n\r\n`,
  'a folded coding': `${postSignIn}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n`,
  'a folded header': `${postSignIn}X: a\r\n b\r\nContent-Length: 0\r\n\r\n`,
  'a bare LF between headers': `${postSignIn.replaceAll('\r\n', '\n')}Content-Length: 0\n\n`,
  'a bare LF after one header': `${postSignIn}X: a\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'a bare CR in a header': `${postSignIn}X: a\rTransfer-Encoding: chunked\r\n\r\n`,
  'a NUL in a header': `${postSignIn}X: a\u0000b\r\nContent-Length: 0\r\n\r\n`,
  'a NUL in a name': `${postSignIn}X\u0000: a\r\nContent-Length: 0\r\n\r\n`,
  'a chunk size with a sign': `${postSignIn}Transfer-Encoding: chunked\r\n\r\n+0\r\n\r\n`,
  'a chunk size in C': `${postSignIn}Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n`,
  'an overflowing chunk': `${postSignIn}Transfer-Encoding: chunked\r\n\r\n10000000000000002\r\n{}\r\n0\r\n\r\n`,
  'a chunk with a bare LF': `${postSignIn}Transfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n`,
  'a chunk longer than it says': `${postSignIn}Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n`,
  'a chunk extension with a bare LF': `${postSignIn}Transfer-Encoding: chunked\r\n\r\n2;a\nb\r\n{}\r\n0\r\n\r\n`,
  'a blank in the target': `GET /api/session x HTTP/1.1\r\nHost: HOST\r\n\r\n`,
  'HTTP/0.9': 'GET /api/session\r\n\r\n',
  'an unknown version': `GET /api/session HTTP/3.7\r\nHost: HOST\r\n\r\n`,
  'a lower-case method': `get /api/session HTTP/1.1\r\nHost: HOST\r\n\r\n`,
  'a control in the target': `GET /api/\u0001session HTTP/1.1\r\nHost: HOST\r\n\r\n`,
}
