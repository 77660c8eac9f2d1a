import type { FastifyInstance } from 'fastify'
import { inLocale, pages } from '../../../contract/pages.ts'
import type { Portal } from '../portal.ts'

const securityText = '/.well-known/security.txt'
/** RFC 9116 §2.5.5 recommends less than a year; it counts from each answer, so that it never has to be updated. */
const validForDays = 180

/** The addresses that programs know of every site (RFC 8615). */
export function serveWellKnown(app: FastifyInstance, portal: Portal): void {
  // Password managers lead there (W3C, A Well-Known URL for Changing Passwords).
  app.get('/.well-known/change-password', { config: { page: true } }, ({ cookies }, reply) =>
    reply.redirect(inLocale(cookies['locale'] === 'en' ? 'en' : 'pl', pages.changePassword.path), 302),
  )
  serveSecurityText(app, portal)
}

/** Where vulnerabilities are reported (RFC 9116, R126); it is not served until the operator names a contact. */
function serveSecurityText(app: FastifyInstance, { settings: { publicUrl, security } }: Portal): void {
  if (!security.contacts.length) return
  app.get(securityText, { config: { page: true } }, (_request, reply) => {
    const expires = new Date(Date.now() + validForDays * 86_400_000)
    expires.setUTCHours(0, 0, 0, 0)
    const lines = [
      ...security.contacts.map((contact) => `Contact: ${contact}`),
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: pl, en',
      `Canonical: ${publicUrl}${securityText}`,
      ...(security.policy ? [`Policy: ${security.policy}`] : []),
    ]
    return reply.type('text/plain; charset=utf-8').send(lines.map((line) => `${line}\r\n`).join(''))
  })
}
