import type { FastifyInstance, FastifyReply } from 'fastify'
import { CertificateError, readCertificate } from '../../pki/asn1/certificate.ts'
import { CmsError, readSignedContent } from '../../pki/asn1/cms-read.ts'
import {
  grantTimestamp,
  rejectTimestamp,
  type TimestampSigner,
  readTimestampRequest,
  TimestampRequestError,
} from '../../pki/timestamps/timestamp-authority.ts'
import type { Authority } from '../authority/authority.ts'
import { timestampPasswords, TooManyGuessesError } from './timestamp-password.ts'
import type { StoredTimestampAccount, TimestampStore } from './timestamp-store.ts'

/** A query has about 100 octets; a signed one contains a certificate chain. */
const maxQuery = 16_384

type TimestampService = { authority: Authority; store: TimestampStore; now: () => Date }

/**
 * Serves timestamps over HTTP (RFC 3161 §3.4) for accounts with a password (Basic, RFC 7617) and for requests signed with the account's
 * certificate (CMS). Failed authentication gets 401; any other failure is a TimeStampResp. Register it under the path of the service's
 * address.
 */
export async function timestampHttp(app: FastifyInstance, { authority, store, now }: TimestampService) {
  const signer = authority.timestamping
  const isPasswordCorrect = timestampPasswords(() => now().getTime())
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    ['application/timestamp-query', 'application/pkcs7-mime', 'application/cms'],
    { parseAs: 'buffer', bodyLimit: maxQuery },
    (_, body, done) => done(null, body),
  )

  app.post<{ Body: Buffer }>('', { bodyLimit: maxQuery }, async (request, reply) => {
    const answer = (work: () => Promise<Uint8Array>) =>
      sendAnswer(reply, work, (error) => request.log.error({ err: error }, 'no timestamp'))
    // Fastify accepts a request that has neither a type nor a body.
    if (!request.body) return reply.code(415).send()
    if (!/^application\/timestamp-query\b/i.test(request.headers['content-type'] ?? ''))
      return answer(async () => {
        const { account, query } = signedQuery({ authority, store, now }, request.body)
        return issueToken(account, query, signer, store)
      })
    let account: StoredTimestampAccount | undefined
    try {
      account = await findAccountOfBasic(request.headers.authorization, request.ip)
    } catch (error) {
      if (!(error instanceof TooManyGuessesError)) throw error
      return reply.code(error.status).header('retry-after', error.retryAfter).send()
    }
    if (!account) return reply.code(401).header('www-authenticate', 'Basic realm="timestamps", charset="UTF-8"').send()
    return answer(() => issueToken(account, request.body, signer, store))
  })

  async function findAccountOfBasic(header: string | undefined, address: string) {
    const { login, password } = readBasic(header) ?? {}
    if (login === undefined || password === undefined) return undefined
    const account = store.accountByLogin(login)
    const encoded = account?.active && 'passwordHash' in account.access ? account.access.passwordHash : undefined
    return (await isPasswordCorrect({ login, password, address, encoded })) ? account : undefined
  }
}

async function sendAnswer(reply: FastifyReply, work: () => Promise<Uint8Array>, report: (error: unknown) => void) {
  reply.type('application/timestamp-reply')
  try {
    return reply.send(await work())
  } catch (error) {
    if (error instanceof TimestampRequestError) return reply.send(rejectTimestamp(error))
    report(error)
    return reply.send(rejectTimestamp({ code: 'systemFailure', message: 'The authority has failed' }))
  }
}

/** Validates the request first, so that a refused one costs nothing. */
async function issueToken(
  { id }: StoredTimestampAccount,
  query: Uint8Array,
  signer: TimestampSigner,
  store: TimestampStore,
) {
  const request = readTimestampRequest(query, signer.policy)
  const taken = await store.take(id)
  if (taken === 'nothing-left') throw new TimestampRequestError('badRequest', 'The account has no timestamps left')
  if (taken === 'late') throw new TimestampRequestError('timeNotAvailable', 'The authority has no reliable time')
  return grantTimestamp(signer, request, taken)
}

/** Finds the signer's account; the certificate must be issued here, currently valid and registered for an account. */
function signedQuery({ authority, store, now }: TimestampService, message: Uint8Array) {
  try {
    const { content, certificate } = readSignedContent(message)
    const { serialNumber, fingerprint, notBefore, notAfter } = readCertificate(certificate)
    const account = store.accountByFingerprint(fingerprint)
    const isValid = notBefore <= now() && now() <= notAfter && authority.status(serialNumber) === 'good'
    if (!account?.active || !isValid) throw new TimestampRequestError('badRequest', 'The signer has no account')
    return { account, query: content }
  } catch (error) {
    if (error instanceof CmsError || error instanceof CertificateError)
      throw new TimestampRequestError('badDataFormat', error.message, { cause: error })
    throw error
  }
}

/** Reads the login, which ends at the first colon (RFC 7617 §2), and the password. */
function readBasic(header = '') {
  const [, base64 = ''] = /^Basic ([A-Za-z0-9+/]{1,1024}={0,2})$/i.exec(header) ?? []
  const text = Buffer.from(base64, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon > 0 ? { login: text.slice(0, colon), password: text.slice(colon + 1) } : undefined
}
