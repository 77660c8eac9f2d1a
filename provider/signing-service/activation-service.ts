import { generateKeyPairSync, createPrivateKey, createPublicKey, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import type { ActivationContent } from '../../contract/rules/activation-content.ts'
import { decryptJwe, type JweKey } from '../../pki/jwe.ts'
import { fromBase32, toBase32 } from '../../pki/totp.ts'
import { createFile } from '../atomic-file.ts'
import { addNewest, bearerToken, htmlPage, sameSecret } from '../embedded-services.ts'

/** The object for which an app is activated: a signature, or a user's access to a seal. */
export const ActivationFor = z.union([
  z.object({ signature: z.string() }),
  z.object({ seal: z.string(), user: z.string() }),
])
export type ActivationFor = z.infer<typeof ActivationFor>

export type AppActivations = Awaited<ReturnType<typeof openAppActivations>>

const lifeMs = 10 * 60_000
/** Repeated requests must not fill the memory, so the oldest entries are removed. */
const maxEntries = 10_000

/**
 * Opens the activation of signing apps: the content that an app scans, in memory, because it can be made again at any time; and the key to
 * which the portal encrypts its own secrets.
 */
export async function openAppActivations({
  directory,
  baseUrl,
  now,
}: {
  directory: string
  /** The address at which apps are activated. */
  baseUrl: string
  now: () => Date
}) {
  await mkdir(directory, { recursive: true })
  const keyPath = join(directory, 'key.pem')
  if (!existsSync(keyPath)) await createFile(keyPath, newKey())
  const key = createPrivateKey(readFileSync(keyPath))
  const byRequest = new Map<string, ActivationContent>()
  const open = new Map<string, { target: ActivationFor; until: number }>()
  const activated: ActivationFor[] = []

  return {
    publicKey: { key: createPublicKey(key), kid: 'demonstration' } satisfies JweKey,
    /** Returns the content that an app scans, the same for a repeated request. */
    contentToScan(request: string, target: ActivationFor): ActivationContent {
      const known = byRequest.get(request)
      if (known && Date.parse(known.expiresAt) > now().getTime()) return known
      const code = toBase32(randomBytes(15))
      const until = now().getTime() + lifeMs
      const content = { content: `${baseUrl}/${code}`, code, expiresAt: new Date(until).toISOString() }
      addNewest(byRequest, request, content, maxEntries)
      addNewest(open, code, { target, until }, maxEntries)
      return content
    },
    /** Activates an app by the code that it has scanned, once; false for any other code. */
    activate(code: string): boolean {
      const activation = open.get(code)
      open.delete(code)
      if (!activation || activation.until <= now().getTime()) return false
      activated.push(activation.target)
      return true
    },
    /** The activated apps that the portal has not been notified of. */
    activated,
    decryptSecret(jwe: string): Buffer {
      const { secret } = z.object({ secret: z.string() }).parse(JSON.parse(decryptJwe(key, jwe)))
      const bytes = fromBase32(secret)
      if (!bytes) throw new Error('The secret is not base32')
      return Buffer.from(bytes)
    },
  }
}

const newKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey

const Order = z.object({ request: z.uuid(), for: ActivationFor })
const code = /^[A-Z2-7]{24}$/

/**
 * Serves the part of the signing service that activates apps: the portal requests the content to scan by the call in
 * docs/guides/provider.md, and an app that has scanned it opens the link. The page at that link replaces the app in the demonstration.
 */
export async function serveActivations(
  app: FastifyInstance,
  { activations, token }: { activations: AppActivations; token: string },
): Promise<void> {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser(
    ['application/json', 'application/x-www-form-urlencoded'],
    { parseAs: 'string', bodyLimit: 65_536 },
    (_, body: string, done) => done(null, body),
  )

  app.post<{ Body?: string }>('/', (request, reply) => {
    if (!sameSecret(bearerToken(request.headers), token)) return reply.code(401).send({ error: 'unknown token' })
    const order = Order.safeParse(parsed(request.body ?? ''))
    if (!order.success) return reply.code(400).send({ error: 'the request cannot be read' })
    return reply.header('cache-control', 'no-store').send(activations.contentToScan(order.data.request, order.data.for))
  })

  app.get<{ Params: { code: string } }>('/:code', (request, reply) => {
    if (!code.test(request.params.code)) return reply.callNotFound()
    return page(
      reply,
      `<form method="post"><button>Aktywuj aplikację – <span lang="en">Activate the app</span></button></form>`,
    )
  })

  app.post<{ Params: { code: string } }>('/:code', (request, reply) => {
    const isActivated = activations.activate(request.params.code)
    return page(
      reply.code(isActivated ? 200 : 410),
      isActivated
        ? '<p>Aplikacja jest aktywna. Wróć do portalu.</p><p lang="en">The app is active. Return to the portal.</p>'
        : '<p>Ten kod wygasł albo był już użyty.</p><p lang="en">This code has expired or was used before.</p>',
    )
  })
}

const page = (
  reply: {
    type: (type: string) => typeof reply
    header: (name: string, value: string) => typeof reply
    send: (html: string) => unknown
  },
  content: string,
) =>
  reply
    .type('text/html; charset=utf-8')
    .header(
      'content-security-policy',
      "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    .header('referrer-policy', 'same-origin')
    .send(
      htmlPage({
        title: 'Aplikacja demonstracyjna – Demonstration app',
        body: `<h1>Aplikacja demonstracyjna – <span lang="en">Demonstration app</span></h1>
${content}`,
      }),
    )

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
