import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'
import { htmlPage } from '../embedded-services.ts'

type Person = { id: string; name: string; groups: string[]; does: string }

/** The staff of the demonstration. Nobody has a password: a press signs in. */
export const staff: readonly Person[] = [
  { id: 'staff-1', name: 'Ewa Lis', groups: ['support', 'support-agents'], does: 'reads and helps customers' },
  { id: 'staff-2', name: 'Adam Bąk', groups: ['audit'], does: 'reads the audit trail' },
  { id: 'staff-3', name: 'Iga Zych', groups: ['portal-admins'], does: 'administers the portal' },
  { id: 'staff-4', name: 'Jan Kot', groups: ['warehouse'], does: 'has no access to the desk' },
]

export const staffGroups = {
  reader: ['support'],
  agent: ['support-agents'],
  auditor: ['audit'],
  administrator: ['portal-admins'],
}

const signInPath = /^\/sign-in\/([\w-]{1,64})$/
/** The context of every sign-in here. */
export const staffAcr = 'urn:demonstration:press'

/**
 * Opens an OpenID provider for the desk of the demonstration (DSK-7), on its own port, with test keys that live as long as it. It is
 * `oidc-provider` with a page for choosing a person; everything else is the library's.
 */
export async function openStaffProvider(deskUrl: string) {
  let answer: RequestListener = (_request, response) => response.writeHead(503).end()
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = { issuer, clientId: 'sygnet-desk', clientSecret: randomBytes(24).toString('base64url') }
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [`${deskUrl}/desk/callback`],
        post_logout_redirect_uris: [`${deskUrl}/desk`],
        backchannel_logout_uri: `${deskUrl}/desk/back-channel-logout`,
        backchannel_logout_session_required: true,
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig', kid: 'staff' }] },
    cookies: { keys: [randomBytes(24).toString('base64url')] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true, logoutSource: (context, form) => void (context.body = signOutPage(form)) },
    },
    claims: { openid: ['sub'], profile: ['name', 'groups'], acr: null },
    acrValues: [staffAcr],
    conformIdTokenClaims: false,
    interactions: { url: (_context, { uid }) => `/sign-in/${uid}` },
    findAccount: (_context, id) => {
      const found = staff.find((person) => person.id === id)
      return found && { accountId: id, claims: () => ({ sub: id, name: found.name, groups: found.groups }) }
    },
    // The library calls no client on this machine by itself.
    fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as RequestInit),
    ttl: { AccessToken: 600, Grant: 28_800, IdToken: 600, Interaction: 600, Session: 28_800 },
    // The desk is the operator's own, so nobody is asked for a consent.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: oidc.session!.accountId! })
      grant.addOIDCScope('openid profile')
      await grant.save()
      return grant
    },
  })
  const library = provider.callback()
  answer = (request, response) => {
    if (signInPath.test(request.url ?? '')) void signIn(provider, request, response)
    else void library(request, response)
  }

  return {
    ...client,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Shows the page for choosing a person, and handles the choice. */
async function signIn(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  try {
    await provider.interactionDetails(request, response)
    if (request.method !== 'POST')
      return void response.setHeader('content-type', 'text/html; charset=utf-8').end(choice)
    const form = new URLSearchParams(await readBody(request))
    const person = staff.find(({ id }) => id === form.get('person'))
    if (!person) return void response.writeHead(400).end()
    await provider.interactionFinished(request, response, { login: { accountId: person.id, acr: staffAcr } })
  } catch {
    if (!response.headersSent) response.writeHead(400)
    response.end()
  }
}

async function readBody(request: IncomingMessage) {
  let body = ''
  for await (const chunk of request) if ((body += String(chunk)).length > 1024) throw new Error('too long')
  return body
}

const head =
  '<style>body{font:16px/1.5 system-ui,sans-serif;max-width:30rem;margin:3rem auto;padding:0 1rem}button{display:block;width:100%;margin:.5rem 0;padding:.75rem 1rem;font:inherit;text-align:start}</style>'

const signOutPage = (form: string) =>
  htmlPage({
    locale: 'en',
    title: 'Staff login (demonstration)',
    head,
    body: `<main><h1>Sign out</h1><p>You have left the desk. Sign out of this OpenID provider too?</p>${form}<button form="op.logoutForm" name="logout" value="yes"><b>Sign out</b></button></main>`,
  })

const choice = htmlPage({
  locale: 'en',
  title: 'Staff login (demonstration)',
  head,
  body: `<main><h1>Staff login</h1><p>This OpenID provider belongs to the demonstration. Choose who you are.</p><form method="post">${staff
    .map(({ id, name, does }) => `<button name="person" value="${id}"><b>${name}</b> ${does}</button>`)
    .join('')}</form></main>`,
})
