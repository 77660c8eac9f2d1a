import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { htmlPage } from '../html-page.ts'
import { ActivationFor, type AppActivations } from './app-activations.ts'

const Order = z.object({ request: z.uuid(), for: ActivationFor })
const code = /^[A-Z2-7]{24}$/

/**
 * The part of the signing service that activates apps: the portal requests what an app scans by the call in
 * docs/guides/provider.md, and an app that has scanned it opens the link. The page at that link stands in for the app in the demonstration.
 */
export async function activationService(
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
    const [, given = ''] = /^Bearer ([\w-]{1,200})$/.exec(request.headers.authorization ?? '') ?? []
    if (!same(given, token)) return reply.code(401).send({ error: 'unknown token' })
    const order = Order.safeParse(parsed(request.body ?? ''))
    if (!order.success) return reply.code(400).send({ error: 'the request cannot be read' })
    return reply.header('cache-control', 'no-store').send(activations.give(order.data.request, order.data.for))
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

const same = (a: string, b: string) => timingSafeEqual(digest(a), digest(b))
const digest = (secret: string) => createHash('sha256').update(secret).digest()
