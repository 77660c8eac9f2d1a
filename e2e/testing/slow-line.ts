import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** Opens a connection to the portal that ends with the test. On it a page can arrive in two parts, late, or as one of another build. */
export async function openSlowLine(origin: string) {
  let target = origin
  let held: { path: string; cut: string; rest: PromiseWithResolvers<void> } | undefined
  let renamed: { from: string; to: string } | undefined
  let stuck: PromiseWithResolvers<void> | undefined
  const line = http.createServer(async (request, response) => {
    await stuck?.promise
    const { host: _, ...headers } = request.headers
    const own = held?.path === request.url ? held : undefined
    // The page is cut as text.
    const sent = own || renamed ? { ...headers, 'accept-encoding': 'identity' } : headers
    const forwarded = http.request(target + request.url, { method: request.method!, headers: sent }, (answer) => {
      const { 'content-length': _length, ...rest } = answer.headers
      response.writeHead(answer.statusCode!, renamed ? rest : answer.headers)
      if (!own && !renamed) return void answer.pipe(response)
      const inParts = async (whole: Buffer) => {
        if (!own) return void response.end(renamed && replaced(whole, renamed))
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
    /** Gives the portal's build another id from now on. */
    rename: (from: string, to: string) => void (renamed = { from, to }),
    /** Sends requests to another portal from now on. */
    switchTarget: (other: string) => void (target = other),
    /** Leaves requests without an answer until the returned function is called. */
    stick() {
      stuck = Promise.withResolvers<void>()
      return stuck.resolve
    },
  }
}

/** Replaces a text in a response; bytes of pictures and fonts stay as they are. */
const replaced = (whole: Buffer, { from, to }: { from: string; to: string }) =>
  Buffer.from(whole.toString('latin1').replaceAll(from, to), 'latin1')
