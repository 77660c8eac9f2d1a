import { once } from 'node:events'
import http, { type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type Received = { method: string; path: string; headers: IncomingHttpHeaders; body: string }

/** A real HTTP server for the tests of adapters: keeps what it was asked, and counts connections even if nothing was. */
export async function listenOnLoopback(answer: (received: Received, response: ServerResponse) => void) {
  const received: Received[] = []
  let connections = 0
  const server = http.createServer((request, response) => {
    void text(request).then((body) => {
      const one = { method: request.method!, path: request.url!, headers: request.headers, body }
      received.push(one)
      answer(one, response)
    })
  })
  server.on('connection', () => (connections += 1))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    received,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
