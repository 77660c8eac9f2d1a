import type { IncomingHttpHeaders, Server } from 'node:http'

export function isGenuine(
  secrets: readonly string[],
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  now?: number,
): boolean

export function receiver(options: {
  secrets: readonly string[]
  take: (event: never) => unknown
  seen?: Map<string, Promise<unknown>>
}): Server
