import type { Request } from 'playwright-core'

/** All that a request says. */
export async function textOf(request: Request) {
  const headers = JSON.stringify(await request.allHeaders())
  return `${request.method()} ${request.url()}\n${headers}\n${request.postDataBuffer()?.toString('latin1') ?? ''}`
}

const runLength = 16
/** A run of so many bytes of the file in a text. Zeros and spaces, of which files have many in a row, do not count. */
export function runsIn(text: string, file: Uint8Array) {
  const latin1 = Buffer.from(file).toString('latin1')
  const runs = new Set(
    Array.from({ length: latin1.length - runLength + 1 }, (_, at) => latin1.slice(at, at + runLength)),
  )
  return Array.from({ length: Math.max(0, text.length - runLength + 1) }, (_, at) =>
    text.slice(at, at + runLength),
  ).filter((run) => runs.has(run) && new Set(run).size > 2)
}
