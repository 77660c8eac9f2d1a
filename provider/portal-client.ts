import { setTimeout as wait } from 'node:timers/promises'
import { callPath, type Endpoint, type Input, type Reply } from '../contract/endpoint.ts'

export class PortalError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type RequestParts = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown }

/** The client of the portal's provider API with a client key, like any provider's own systems. */
export type PortalClient = ReturnType<typeof portalClient>

const maxTries = 20

type ClientOptions = { url: string; clientKey: string; retriesWhenBusy?: boolean }

/** Creates a client. `retriesWhenBusy`: repeats idempotent calls while the portal is too busy to answer. */
export function portalClient({ url, clientKey, retriesWhenBusy = false }: ClientOptions) {
  /** Sends a request, again if the portal is too busy: it then answers 503, or closes the connection at one of its time limits. */
  async function fetchWithRetries(address: string, request: RequestInit): Promise<Response> {
    for (let tries = 1; ; tries++) {
      const isLast = !retriesWhenBusy || request.method === 'POST' || tries === maxTries
      const response = await fetch(address, request).catch((error: unknown) => {
        if (isLast) throw error
      })
      if (response && (isLast || response.status !== 503)) return response
      await wait(1000)
    }
  }

  async function send<E extends Endpoint>(
    endpoint: E,
    params: Record<string, string>,
    content: { type: string; body: BodyInit } | undefined,
    query: Record<string, string> = {},
  ): Promise<Reply<E>> {
    const search = new URLSearchParams(query).toString()
    const path = callPath(endpoint, params) + (search && `?${search}`)
    const request = {
      method: endpoint.method,
      // The customer API requires an origin, the provider API a key.
      headers: {
        authorization: `Bearer ${clientKey}`,
        origin: url,
        ...(content && { 'content-type': content.type }),
      },
      ...(content && { body: content.body }),
    }
    const response = await fetchWithRetries(url + path, request)
    const text = await response.text()
    if (!response.ok)
      throw new PortalError(response.status, `${endpoint.method} ${path}: ${response.status} ${text.slice(0, 300)}`)
    const reply: Reply<E> = text ? JSON.parse(text) : undefined
    return reply
  }
  return {
    call<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Reply<E>> {
      const { params = {}, query = {}, body } = input as RequestParts
      const content = body === undefined ? undefined : { type: 'application/json', body: JSON.stringify(body) }
      return send(endpoint, params, content, query)
    },
    async download(endpoint: Endpoint & { download: readonly string[] }, params: Record<string, string>) {
      const response = await fetchWithRetries(url + callPath(endpoint, params), {
        headers: { authorization: `Bearer ${clientKey}` },
      })
      if (!response.ok) throw new PortalError(response.status, `${endpoint.path}: ${response.status}`)
      return new Uint8Array(await response.arrayBuffer())
    },
    upload<E extends Endpoint & { upload: string }>(
      endpoint: E,
      params: Record<string, string>,
      file: Uint8Array<ArrayBuffer>,
    ): Promise<Reply<E>> {
      return send(endpoint, params, { type: endpoint.upload, body: file })
    },
  }
}
