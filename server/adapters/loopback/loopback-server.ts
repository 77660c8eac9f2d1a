import { once } from 'node:events'
import http, { type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type Received = { method: string; path: string; headers: IncomingHttpHeaders; body: string }

/** Starts a real HTTP server for the tests of adapters. It stores the requests, and counts connections even without a request. */
export async function listenOnLoopback(answer: (received: Received, response: ServerResponse) => void) {
  const received: Received[] = []
  let connections = 0
  const server = http.createServer((request, response) => {
    void text(request).then((body) => {
      const call = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
      received.push(call)
      answer(call, response)
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

/** Answers with the same chunk again and again, until the client hangs up. */
export function answerEndlessly(response: ServerResponse, chunk: string) {
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', more)
  more()
}
