import type { FastifyInstance, FastifyReply } from 'fastify'
import { CertificateError, readCertificate } from '../pki/certificate.ts'
import { CmsError, readSignedContent } from '../pki/cms-read.ts'
import { readTimestampRequest, TimestampRefused } from '../pki/timestamp-request.ts'
import { grantTimestamp, rejectTimestamp, type TimestampSigner } from '../pki/timestamp-response.ts'
import type { Authority } from './authority.ts'
import { timestampPasswords, TooManyGuesses } from './timestamp-password.ts'
import type { TimestampAccount, TimestampStore } from './timestamp-store.ts'

/** A query has some 100 octets; one that is signed carries a chain of certificates. */
const largestQuery = 16_384

type Desk = { authority: Authority; store: TimestampStore; now: () => Date }

/**
 * Timestamps over HTTP (RFC 3161 §3.4), for accounts with a password (Basic, RFC 7617) and for requests that are signed
 * by the account's certificate (CMS). Who is not let in gets 401; whatever else gets no token is said in a TimeStampResp.
 * Register it under the prefix that is the service's address.
 */
export async function timestampHttp(app: FastifyInstance, { authority, store, now }: Desk) {
  const signer = authority.timestamping
  const passwordFits = timestampPasswords(() => now().getTime())
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    ['application/timestamp-query', 'application/pkcs7-mime', 'application/cms'],
    { parseAs: 'buffer', bodyLimit: largestQuery },
    (_, body, done) => done(null, body),
  )

  app.post<{ Body: Buffer }>('', { bodyLimit: largestQuery }, async (request, reply) => {
    const answer = (work: () => Promise<Uint8Array>) =>
      answered(reply, work, (error) => request.log.error({ err: error }, 'no timestamp'))
    // Fastify lets a request through that has neither a type nor a body.
    if (!request.body) return reply.code(415).send()
    if (!/^application\/timestamp-query\b/i.test(request.headers['content-type']!))
      return answer(async () => {
        const { account, query } = signedQuery({ authority, store, now }, request.body)
        return tokenFor(account, query, signer, store)
      })
    let account: TimestampAccount | undefined
    try {
      account = await accountOfBasic(request.headers.authorization, request.ip)
    } catch (error) {
      if (!(error instanceof TooManyGuesses)) throw error
      return reply.code(error.status).header('retry-after', error.retryAfter).send()
    }
    if (!account) return reply.code(401).header('www-authenticate', 'Basic realm="timestamps", charset="UTF-8"').send()
    return answer(() => tokenFor(account, request.body, signer, store))
  })

  async function accountOfBasic(header: string | undefined, address: string) {
    const { login, password } = readBasic(header) ?? {}
    if (login === undefined || password === undefined) return undefined
    const account = store.accountByLogin(login)
    const encoded = account?.active && 'passwordHash' in account.access ? account.access.passwordHash : undefined
    return (await passwordFits({ login, password, address, encoded })) ? account : undefined
  }
}

async function answered(reply: FastifyReply, work: () => Promise<Uint8Array>, report: (error: unknown) => void) {
  reply.type('application/timestamp-reply')
  try {
    return reply.send(await work())
  } catch (error) {
    if (error instanceof TimestampRefused) return reply.send(rejectTimestamp(error))
    report(error)
    return reply.send(rejectTimestamp({ failure: 'systemFailure', message: 'The authority has failed' }))
  }
}

/** The request is judged first, so that one that gets no token costs nothing. */
async function tokenFor({ id }: TimestampAccount, query: Uint8Array, signer: TimestampSigner, store: TimestampStore) {
  const request = readTimestampRequest(query, signer.policy)
  const taken = await store.take(id)
  if (taken === 'nothing-left') throw new TimestampRefused('badRequest', 'The account has no timestamps left')
  if (taken === 'late') throw new TimestampRefused('timeNotAvailable', 'The authority has no sure time')
  return grantTimestamp(signer, request, taken)
}

/** The account of whoever has signed; their certificate has to be ours, in force now, and an account's. */
function signedQuery({ authority, store, now }: Desk, message: Uint8Array) {
  try {
    const { content, certificate } = readSignedContent(message)
    const { serialNumber, fingerprint, notBefore, notAfter } = readCertificate(certificate)
    const account = store.accountByFingerprint(fingerprint)
    const inForce = notBefore <= now() && now() <= notAfter && authority.status(serialNumber) === 'good'
    if (!account?.active || !inForce) throw new TimestampRefused('badRequest', 'The signer has no account')
    return { account, query: content }
  } catch (error) {
    if (error instanceof CmsError || error instanceof CertificateError)
      throw new TimestampRefused('badDataFormat', error.message, { cause: error })
    throw error
  }
}

/** RFC 7617 §2: the login ends at the first colon. */
function readBasic(header = '') {
  const [, base64 = ''] = /^Basic ([A-Za-z0-9+/]{1,1024}={0,2})$/i.exec(header) ?? []
  const text = Buffer.from(base64, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon > 0 ? { login: text.slice(0, colon), password: text.slice(colon + 1) } : undefined
}
