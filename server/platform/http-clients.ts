import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'

/** Node's HTTP clients, for the gateway alone (server/adapters/outgoing.ts). */
export const requestBy = { 'http:': http.request, 'https:': https.request }

/** Names of the HTTP clients, by the object that has them. */
const clients: [object, string[]][] = [
  [globalThis, ['fetch', 'WebSocket', 'EventSource']],
  [http, ['request', 'get', 'ClientRequest', 'WebSocket']],
  [https, ['request', 'get']],
  [http2, ['connect']],
]

function refuse(): never {
  throw new Error('Only the gateway makes HTTP calls.')
}

/** Takes `fetch` and Node's HTTP clients from all other code of this thread, so that no library can avoid the gateway (R263). */
export function closeHttpClients(): void {
  for (const [owner, names] of clients) for (const name of names) Object.defineProperty(owner, name, { value: refuse })
  // Also for `import { request } from 'node:http'`.
  syncBuiltinESMExports()
}
