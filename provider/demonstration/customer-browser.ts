import { enterSignInCode, signIn, signOut } from '../../contract/account.ts'
import type { Endpoint, Reply } from '../../contract/endpoint.ts'
import { PortalError } from '../portal-client.ts'

/**
 * Waits for a new message to a recipient that mentions `about`; call it before the message is sent. Returns the first
 * group of the pattern.
 */
export type Mailbox = (to: string, pattern: RegExp, about?: string) => () => Promise<string>

type SentContent = { id?: string; file?: Uint8Array<ArrayBuffer>; json?: object }

/**
 * Opens a minimal browser of a customer for the demonstration, signed in by password and SMS code; undefined if it cannot sign in, because
 * a visitor has changed the customer's password.
 */
export async function openCustomerBrowser(
  url: string,
  mailbox: Mailbox,
  { login, password, phone }: { login: string; password: string; phone: string },
) {
  const cookies = new Map<string, string>()

  async function send(
    { method, path, idempotent }: Pick<Endpoint, 'method' | 'path' | 'idempotent'>,
    { id = '', file, json }: SentContent = {},
  ) {
    const body = file ?? (json && JSON.stringify(json))
    const response = await fetch(url + path.replace(':id', id), {
      method,
      headers: {
        origin: url,
        cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
        ...(body && { 'content-type': file ? 'application/pdf' : 'application/json' }),
        ...(idempotent && { 'idempotency-key': crypto.randomUUID() }),
      },
      ...(body && { body }),
    })
    for (const setCookie of response.headers.getSetCookie()) {
      const [cookie = ''] = setCookie.split(';')
      const [name = '', ...value] = cookie.split('=')
      cookies.set(name, value.join('='))
    }
    const content = new Uint8Array(await response.arrayBuffer())
    if (!response.ok) throw new PortalError(response.status, `${path}: ${response.status}`)
    return content
  }

  const code = mailbox(phone, /#(\d{6})$/)
  try {
    await send(signIn, { json: { login, password } })
    await send(enterSignInCode, { json: { code: await code() } })
  } catch (error) {
    if (error instanceof PortalError) return undefined
    throw error
  }
  return {
    send,
    async call<E extends Endpoint>(endpoint: E, content?: SentContent): Promise<Reply<E>> {
      const reply: Reply<E> = JSON.parse(Buffer.from(await send(endpoint, content)).toString())
      return reply
    },
    leave: () => send(signOut),
  }
}
