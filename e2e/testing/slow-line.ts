import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** A connection to the portal, which ends with the test, on which a page can arrive in two parts. */
export async function openSlowLine(origin: string) {
  let held: { path: string; cut: string; rest: PromiseWithResolvers<void> } | undefined
  const line = http.createServer((request, response) => {
    const { host: _, ...headers } = request.headers
    const own = held?.path === request.url ? held : undefined
    // The page is cut as text.
    const sent = own ? { ...headers, 'accept-encoding': 'identity' } : headers
    const forwarded = http.request(origin + request.url, { method: request.method!, headers: sent }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      if (!own) return void answer.pipe(response)
      const inParts = async (whole: Buffer) => {
        const at = whole.indexOf(own.cut)
        if (at < 0) throw new Error(`${own.path} has no ${own.cut}.`)
        response.write(whole.subarray(0, at))
        await own.rest.promise
        response.end(whole.subarray(at))
      }
      buffer(answer)
        .then(inParts)
        .catch((error: Error) => response.destroy(error))
    })
    request.pipe(forwarded)
  })
  line.listen(0, '127.0.0.1')
  await once(line, 'listening')
  onTestFinished(() => {
    line.close()
    line.closeAllConnections()
  })
  return {
    origin: `http://127.0.0.1:${(line.address() as AddressInfo).port}`,
    /** Cuts the next answers at this path; the returned function lets the rest arrive. */
    cut(path: string, cut: string) {
      held = { path, cut, rest: Promise.withResolvers<void>() }
      return held.rest.resolve
    },
  }
}
