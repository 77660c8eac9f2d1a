import { enterSignInCode, signIn, signOut } from '../contract/account.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { PortalRefused } from './portal-client.ts'

/** Waits for a new message to somebody that names what it is about; ask for it before what sends it. Gives the first group of the pattern. */
export type Mailbox = (to: string, pattern: RegExp, about?: string) => () => Promise<string>

/** A customer's browser, as far as the demonstration needs one: it signs in like anybody, by password and SMS code. */
export async function openCustomerBrowser(
  url: string,
  mailbox: Mailbox,
  { login, password, phone }: { login: string; password: string; phone: string },
) {
  const cookies = new Map<string, string>()

  async function send(
    { method, path }: Pick<Endpoint, 'method' | 'path'>,
    { id = '', body, headers = {} }: { id?: string; body?: unknown; headers?: Record<string, string> } = {},
  ) {
    const isFile = body instanceof Uint8Array
    const response = await fetch(url + path.replace(':id', id), {
      method,
      headers: {
        origin: url,
        cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
        ...(body === undefined ? {} : { 'content-type': isFile ? 'application/pdf' : 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isFile ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      cookies.set(name!, value!)
    }
    const content = new Uint8Array(await response.arrayBuffer())
    if (!response.ok) throw new PortalRefused(response.status, `${path}: ${response.status}`)
    return content
  }

  const code = mailbox(phone, /#(\d{6})$/)
  await send(signIn, { body: { login, password } })
  await send(enterSignInCode, { body: { code: await code() } })
  return {
    send,
    leave: () => send(signOut),
  }
}
