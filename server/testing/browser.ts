import type { Endpoint, Input, Reply } from '../../contract/endpoint.ts'
import * as account from '../../contract/account.ts'
import { enterStepUpCode, startStepUp } from '../../contract/step-up.ts'
import { confirmPhone, sendPhoneConfirmation } from '../../contract/phone-confirmation.ts'
import { changePassword, requestPasswordReset } from '../../contract/passwords.ts'
import { setPassword } from '../../contract/password-link.ts'
import * as provider from '../../contract/provider/provider-customers.ts'
import type { StepUpPurpose } from '../../contract/step-up-purpose.ts'
import type { Problem } from '../../contract/errors.ts'
import { deviceCookie } from '../platform/authentication/devices.ts'
import { samplePerson, type TestPortal } from './portal-nodes.ts'
import { visitorCookie } from '../platform/authentication/passkey-challenges.ts'

export const goodPassword = 'Dobre-Haslo-2026!'

/** Customers of tests have no passkey by default, so a code follows their password. */
type ReplyOf<R> = [R] extends [account.AfterPassword] ? ([account.CodeSent] extends [R] ? account.CodeSent : R) : R

export type Answer<E> = {
  status: number
  body: ReplyOf<Reply<E>>
  problem: Problem
  headers: Headers
  cookie: string | undefined
}

/** A browser as the server sees it: keeps cookies, sends its origin, and calls one node at a time. */
export type TestBrowser = ReturnType<typeof openBrowser>

/**
 * `device`: of a known device, set by a complete sign-in; it outlives the session. `visitor`: binds passkey challenges
 * to a browser before a sign-in.
 */
type Cookies = Record<'cookie' | 'device' | 'visitor', string | undefined>

export function openBrowser(portal: TestPortal, options: { address?: string; node?: number } = {}) {
  const { address = '198.51.100.7' } = options
  const cookies: Cookies = { cookie: undefined, device: undefined, visitor: undefined }

  async function send(
    origin: string,
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string | undefined> = {},
  ) {
    const { cookie, device, visitor } = cookies
    const all: Record<string, string | undefined> = {
      'x-forwarded-for': address,
      origin,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(cookie || device || visitor ? { cookie: [cookie, device, visitor].filter(Boolean).join('; ') } : {}),
      ...headers,
    }
    const present = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const response = await fetch(origin + path, {
      method,
      headers: Object.fromEntries(present),
      redirect: 'manual',
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body) }),
    })
    keepCookies(cookies, response)
    return response
  }

  async function call<E extends Endpoint>(
    endpoint: E,
    input: Omit<Input<E>, 'idempotencyKey'> & { idempotencyKey?: string } = {} as never,
    node = options.node ?? 0,
  ): Promise<Answer<E>> {
    const { path, body } = requestOf(endpoint, input)
    const response = await send(portal.nodes[node]!.origin, endpoint.method, path, body, {
      'idempotency-key': input.idempotencyKey ?? (endpoint.idempotent ? crypto.randomUUID() : undefined),
      authorization: endpoint.access === 'provider' ? `Bearer ${portal.clientKey}` : undefined,
    })
    const text = await response.text()
    const parsed: unknown = /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text
    return {
      status: response.status,
      body: parsed as ReplyOf<Reply<E>>,
      problem: parsed as Problem,
      headers: response.headers,
      cookie: response.headers.getSetCookie()[0],
    }
  }

  return Object.assign(cookies, {
    call,
    /** A raw request, for what no real browser sends. */
    raw: (method: string, path: string, body?: unknown, headers?: Record<string, string | undefined>) =>
      send(portal.nodes[options.node ?? 0]!.origin, method, path, body, headers),
  })
}

/** Returns the path of a call, with its query, and its body. */
export function requestOf(endpoint: Endpoint, input: object) {
  type Parts = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown }
  const { params = {}, query, body } = input as Parts
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return { path: query ? `${path}?${new URLSearchParams(query).toString()}` : path, body }
}

function keepCookies(cookies: Cookies, { headers }: Response) {
  for (const set of headers.getSetCookie()) {
    const pair = /Max-Age=0|Expires=Thu, 01 Jan 1970/i.test(set) ? undefined : set.split(';')[0]
    if (set.startsWith(`${deviceCookie}=`)) cookies.device = pair
    else if (set.startsWith(`${visitorCookie}=`)) cookies.visitor = pair
    else cookies.cookie = pair
  }
}

/** Sends a raw request as the provider, for files and for bodies that no contract allows. */
export const asProvider = (
  portal: TestPortal,
  method: string,
  path: string,
  {
    body,
    headers,
    node = 0,
  }: { body?: Uint8Array | string | undefined; headers?: Record<string, string>; node?: number } = {},
) =>
  fetch(portal.nodes[node]!.origin + path, {
    method,
    headers: { authorization: `Bearer ${portal.clientKey}`, ...headers },
    ...(body !== undefined && { body: body as BodyInit }),
  })

/** Opens browsers that each have a network of their own, on both nodes in turn. */
export function browsersElsewhere(portal: TestPortal) {
  let networks = 0
  return () => openBrowser(portal, { address: `10.${++networks >> 8}.${networks & 255}.7`, node: networks % 2 })
}

/** Returns the token in the newest link mail to an address. */
export function linkToken({ mails }: TestPortal, to: string): string {
  const mail = mails.find((candidate) => candidate.to === to && /setup-password/.test(candidate.text))
  return /setup-password\/([A-Za-z0-9_-]{43})/.exec(mail?.text ?? '')![1]!
}

/** Returns the code in the newest SMS to a number. */
export function smsCode({ texts }: TestPortal, to: string): string {
  return /#(\d{6})$/.exec(texts.find((sms) => sms.to === to)?.text ?? '')![1]!
}

/** Returns the code in the newest mail with a code to an address. */
export function mailedCode({ mails }: TestPortal, to: string): string {
  const pattern = /^(\d{6})$/m
  return pattern.exec(mails.find((mail) => mail.to === to && pattern.test(mail.text))?.text ?? '')![1]!
}

/** Returns the mails to an address that have a link to set a password, newest first. */
export const linkMails = ({ mails }: TestPortal, email: string) =>
  mails.filter(({ to, text }) => to === email && text.includes('/setup-password/'))

/** Returns the form fields for a new password: the password and its repetition. */
export const bothFields = (newPassword: string) => ({ newPassword, repeatPassword: newPassword })

/** Sets a password by a link. */
export const spendLink = (browser: TestBrowser, token: string, newPassword = goodPassword) =>
  browser.call(setPassword, { body: { token, password: bothFields(newPassword) } })

/** Sets a password by the newest link that was mailed to an address. */
export const spendMailedLink = (portal: TestPortal, email: string, browser: TestBrowser, newPassword = goodPassword) =>
  spendLink(browser, linkToken(portal, email), newPassword)

export const replacePassword = (browser: TestBrowser, currentPassword: string, newPassword: string) =>
  browser.call(changePassword, { body: { currentPassword, ...bothFields(newPassword) } })

/** Asks for a link that sets another password, and sends its mail. */
export async function askForReset(portal: TestPortal, email: string, browser: TestBrowser) {
  const answer = await browser.call(requestPasswordReset, {
    body: { email, locale: 'pl', botProof: crypto.randomUUID() },
  })
  await portal.deliver()
  return answer
}

/** Puts a customer as the provider, by default a new one. */
export const putPerson = (
  portal: TestPortal,
  body: provider.ProviderCustomer,
  customer: string = `c-${crypto.randomUUID()}`,
) => openBrowser(portal).call(provider.putCustomer, { params: { customer }, body })

export type Person = provider.ProviderCustomer & { id: string; password: string }

/** Creates a customer as the provider, and sets the password through the invitation. */
export async function makeCustomer(portal: TestPortal, over: Parameters<typeof samplePerson>[0] = {}): Promise<Person> {
  const person = samplePerson(over)
  const id = `c-${crypto.randomUUID()}`
  await putPerson(portal, person, id)
  await portal.deliver()
  await spendMailedLink(portal, person.email, openBrowser(portal))
  return { ...person, id, password: goodPassword }
}

export async function isBlocked({ owner }: TestPortal, { login }: Pick<Person, 'login'>): Promise<boolean | undefined> {
  const { rows } = await owner.query('select blocked_at is not null as blocked from accounts where login = $1', [login])
  return rows[0]?.blocked
}

/** Returns the error code of each refused response, and `ok` for the others. */
export const codesOf = (answers: readonly { status: number; problem: Problem }[]) =>
  answers.map(({ status, problem }) => (status < 300 ? 'ok' : problem.code))

/** Returns the body of a response; throws if it is a refusal. */
export function bodyOf<B>({ status, body, problem }: { status: number; body: B; problem: unknown }): B {
  if (status !== 200) throw new Error(JSON.stringify(problem))
  return body
}

export async function passPassword(portal: TestPortal, person: Person, browser = openBrowser(portal)) {
  const body = { login: person.login, password: person.password }
  let answer = await browser.call(account.signIn, { body })
  // Our page solves the bot check when it is required.
  if (answer.problem.code === 'bot-check-required')
    answer = await browser.call(account.signIn, { body: { ...body, botProof: crypto.randomUUID() } })
  await portal.deliver()
  return { browser, answer }
}

/** Enters the code of the newest SMS, by which a sign-in is finished. */
export const enterSmsCode = (portal: TestPortal, browser: TestBrowser, { phone }: Pick<Person, 'phone'>) =>
  browser.call(account.enterSignInCode, { body: { code: smsCode(portal, phone) } })

/** Signs a customer in with the password and the code of the SMS. */
export async function signInAs(
  portal: TestPortal,
  person: Person,
  browser = openBrowser(portal),
): Promise<TestBrowser> {
  const { answer } = await passPassword(portal, person, browser)
  if ((answer.body as account.AfterPassword).channel === 'confirm-phone') {
    await confirmOwnPhone(portal, person.phone, browser)
    return browser
  }
  if (!('id' in answer.body)) {
    // A customer with a passkey gets a code only on request.
    await browser.call(account.sendSignInCode)
    await portal.deliver()
  }
  await enterSmsCode(portal, browser, person)
  return browser
}

/** Confirms the number of an account that was registered; the browser has passed the password. */
export async function confirmOwnPhone(portal: TestPortal, phone: string, browser: TestBrowser) {
  await browser.call(sendPhoneConfirmation)
  await portal.deliver()
  return browser.call(confirmPhone, { body: { code: smsCode(portal, phone) } })
}

/** Confirms an action with the SMS code of a step-up. */
export async function stepUp(
  portal: TestPortal,
  browser: TestBrowser,
  person: Person,
  purpose: StepUpPurpose,
  object?: string,
) {
  const sent = await browser.call(startStepUp, { body: { purpose, object, by: 'sms' } })
  await portal.deliver()
  return browser.call(enterStepUpCode, {
    params: { id: sent.body.id },
    body: { code: smsCode(portal, person.phone) },
  })
}

/** Sends the mails that are due, and returns every mail to an address. */
export async function deliveredTo(portal: TestPortal, to: string) {
  await portal.deliver()
  return portal.mails.filter((mail) => mail.to === to)
}
