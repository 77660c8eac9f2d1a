import type { Endpoint, Input, Reply } from '../contract/endpoint.ts'

/** A refusal of the portal's, as the provider's systems see it. */
export class PortalRefused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The provider's way into the portal: its API over HTTP with a client key, like any provider's own systems. */
export type PortalClient = ReturnType<typeof portalClient>

export function portalClient({ url, clientKey }: { url: string; clientKey: string }) {
  async function send<E extends Endpoint>(
    endpoint: E,
    params: Record<string, string>,
    body: BodyInit | undefined,
    type: string,
  ): Promise<Reply<E>> {
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!))
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
      const { params = {}, body } = input as { params?: Record<string, string>; body?: unknown }
      return send(endpoint, params, body === undefined ? undefined : JSON.stringify(body), 'application/json')
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
