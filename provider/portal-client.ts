import type { Endpoint, Input, Reply } from '../contract/endpoint.ts'

/** A refusal of the portal's, as the provider's systems see it. */
export class PortalRefused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Sent = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown }

const pathOf = ({ path }: Endpoint, params: Record<string, string>) =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!))

/** The provider's way into the portal: its API over HTTP with a client key, like any provider's own systems. */
export type PortalClient = ReturnType<typeof portalClient>

export function portalClient({ url, clientKey }: { url: string; clientKey: string }) {
  async function send<E extends Endpoint>(
    endpoint: E,
    params: Record<string, string>,
    body: BodyInit | undefined,
    type: string,
    query: Record<string, string> = {},
  ): Promise<Reply<E>> {
    const search = new URLSearchParams(query).toString()
    const path = pathOf(endpoint, params) + (search && `?${search}`)
    const response = await fetch(url + path, {
      method: endpoint.method,
      // Calls of the customer's side want an origin, the provider's want a key.
      headers: {
        authorization: `Bearer ${clientKey}`,
        origin: url,
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    if (!response.ok)
      throw new PortalRefused(response.status, `${endpoint.method} ${path}: ${response.status} ${text.slice(0, 300)}`)
    return (text ? JSON.parse(text) : undefined) as Reply<E>
  }
  return {
    call<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Reply<E>> {
      const { params = {}, query = {}, body } = input as Sent
      return send(endpoint, params, body === undefined ? undefined : JSON.stringify(body), 'application/json', query)
    },
    async download(endpoint: Endpoint & { download: readonly string[] }, params: Record<string, string>) {
      const response = await fetch(url + pathOf(endpoint, params), {
        headers: { authorization: `Bearer ${clientKey}` },
      })
      if (!response.ok) throw new PortalRefused(response.status, `${endpoint.path}: ${response.status}`)
      return new Uint8Array(await response.arrayBuffer())
    },
    upload<E extends Endpoint & { upload: string }>(
      endpoint: E,
      params: Record<string, string>,
      file: Uint8Array<ArrayBuffer>,
    ): Promise<Reply<E>> {
      return send(endpoint, params, file, endpoint.upload)
    },
  }
}
