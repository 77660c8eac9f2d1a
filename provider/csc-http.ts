import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { text as bounded } from '../contract/fields.ts'
import { readCertificate, type CertificateContent } from '../pki/certificate.ts'
import { cscActivations, CscRefused } from './csc-activation.ts'
import type { SigningKey, SigningKeys } from './signing-keys.ts'

export type SigningService = {
  keys: SigningKeys
  /** Who may name customers and ask for their signatures: the portal, by a secret of 256 bits. */
  client: { id: string; secret: string }
  /** Of a certificate, as the authority has it now. */
  statusOf: (certificate: CertificateContent) => 'valid' | 'expired' | 'revoked' | 'suspended'
  /** Brings a code of the service to the owner of a key. */
  sendOtp: (owner: string, otp: string) => Promise<void>
  now: () => Date
}

const largestBody = 65_536
const mostSignatures = 5
const sha256Oid = '2.16.840.1.101.3.4.2.1'
const rsa = '1.2.840.113549.1.1.1'
const rsaWithSha256 = '1.2.840.113549.1.1.11'
const otpId = 'OTP'

const methods = [
  'info',
  'oauth2/token',
  'credentials/list',
  'credentials/info',
  'credentials/authorize',
  'credentials/getChallenge',
  'signatures/signHash',
]

const text = bounded(1000).check(z.minLength(1))
const hashes = z.array(text).check(z.minLength(1), z.maxLength(mostSignatures))
const Shown = z.object({
  certificates: z.optional(z.enum(['none', 'single', 'chain'])),
  authInfo: z.optional(z.boolean()),
})
const ListBody = z.extend(Shown, {
  userID: text,
  credentialInfo: z.optional(z.boolean()),
  onlyValid: z.optional(z.boolean()),
})
const InfoBody = z.extend(Shown, { credentialID: text })
const AuthorizeBody = z.object({
  credentialID: text,
  numSignatures: z.int().check(z.minimum(1)),
  hashes,
  hashAlgorithmOID: z.optional(text),
  authData: z.optional(z.array(z.object({ id: text, value: text })).check(z.maxLength(5))),
  description: z.optional(bounded(500)),
})
const ChallengeBody = z.object({ credentialID: text, authObjectID: text })
const SignBody = z.object({
  credentialID: text,
  SAD: text,
  hashes,
  hashAlgorithmOID: z.optional(text),
  signAlgo: text,
  operationMode: z.optional(z.literal('S')),
})

/**
 * A remote signing service by the API of the Cloud Signature Consortium, version 2. Its one client proves by OAuth 2.0 who
 * it is and names the customer; a key that wants no code of the service is opened by that alone, because the client has
 * asked for the second factor (clause 11.6, `explicit` without authentication objects). Register it under `/csc/v2`.
 */
export async function cscHttp(app: FastifyInstance, service: SigningService) {
  const { keys, client, now } = service
  const activations = cscActivations(() => now().getTime())
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: largestBody }, (_, body, done) => {
    try {
      done(null, JSON.parse(body as string))
    } catch {
      done(new CscRefused('invalid_request', 'The body is no JSON'))
    }
  })
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 4096 },
    (_, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  )
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof CscRefused)
      return reply.code(error.status).send({ error: error.error, error_description: error.message })
    const { statusCode = 500 } = error as { statusCode?: number }
    if (statusCode >= 400 && statusCode < 500)
      return reply.code(400).send({ error: 'invalid_request', error_description: 'The request cannot be read' })
    request.log.error({ err: error }, 'the signing service has failed')
    return reply.code(500).send({ error: 'server_error', error_description: 'The service has failed' })
  })

  app.post('/info', () => ({
    specs: '2.0.0.2',
    name: 'Sygnet TEST signing service',
    region: 'PL',
    lang: 'pl-PL',
    description: 'Keys for trying things out',
    authType: ['oauth2client'],
    methods,
  }))

  // RFC 6749 §4.4.
  app.post('/oauth2/token', async (request, reply) => {
    const { grant_type, client_id = '', client_secret = '' } = (request.body ?? {}) as Record<string, string>
    if (grant_type !== 'client_credentials')
      throw new CscRefused('unsupported_grant_type', 'Only client_credentials is supported')
    if (!same(client_id, client.id) || !same(client_secret, client.secret))
      throw new CscRefused('invalid_client', 'The client is not known', 401)
    return reply.header('cache-control', 'no-store').send(activations.issueToken(client.id))
  })

  /** A method of §11 that wants the client's token. */
  const method = <S extends z.ZodMiniType>(
    name: string,
    schema: S,
    answer: (body: z.output<S>, client: string) => object | undefined | Promise<object | undefined>,
  ) =>
    app.post(`/${name}`, async (request, reply) => {
      const caller = callerOf(request)
      const body = schema.safeParse(request.body ?? {})
      if (!body.success) {
        const [issue] = body.error.issues
        throw new CscRefused('invalid_request', `Missing or invalid parameter ${String(issue?.path[0] ?? '')}`.trim())
      }
      const found = await answer(body.data, caller)
      return found ? reply.send(found) : reply.code(204).send()
    })

  function callerOf({ headers }: FastifyRequest) {
    const [, token] = /^Bearer ([\w-]{1,200})$/.exec(headers.authorization ?? '') ?? []
    const caller = token && activations.clientOf(token)
    if (!caller) throw new CscRefused('access_denied', 'The access token is not valid', 401)
    return caller
  }

  function keyOf(id: string): SigningKey {
    const key = keys.find(id)
    if (!key?.certificates.length) throw new CscRefused('invalid_request', 'Invalid parameter credentialID')
    return key
  }

  const certStatus = (key: SigningKey) => service.statusOf(readCertificate(key.certificates[0]!))

  function usableKey(id: string) {
    const key = keyOf(id)
    if (certStatus(key) !== 'valid')
      throw new CscRefused('invalid_request', 'The credential identified by credentialID is disabled')
    return key
  }

  function described(key: SigningKey, { certificates = 'single', authInfo = false }: z.output<typeof Shown>) {
    const shown = { none: 0, single: 1, chain: key.certificates.length }[certificates]
    const challenge = { type: 'ChallengeResponse', id: otpId, format: 'N', label: 'SMS', description: 'Code by SMS' }
    return {
      signatureQualifier: 'eu_eidas_qes',
      key: { status: 'enabled', algo: [rsaWithSha256, rsa], len: 3072 },
      cert: {
        status: certStatus(key),
        ...(shown
          ? { certificates: key.certificates.slice(0, shown).map((one) => Buffer.from(one).toString('base64')) }
          : {}),
      },
      auth: { mode: 'explicit', ...(authInfo ? { objects: key.otp ? [challenge] : [] } : {}) },
      SCAL: '2',
      multisign: mostSignatures,
    }
  }

  method('credentials/list', ListBody, ({ userID, onlyValid, credentialInfo, ...shown }) => {
    const all = keys.ofOwner(userID).filter((key) => key.certificates.length)
    const found = onlyValid ? all.filter((key) => certStatus(key) === 'valid') : all
    return {
      credentialIDs: found.map(({ id }) => id),
      ...(credentialInfo
        ? { credentialInfos: found.map((key) => ({ credentialID: key.id, ...described(key, shown) })) }
        : {}),
      ...(onlyValid === undefined ? {} : { onlyValid }),
    }
  })

  method('credentials/info', InfoBody, ({ credentialID, ...shown }) => described(keyOf(credentialID), shown))

  method('credentials/getChallenge', ChallengeBody, async ({ credentialID, authObjectID }) => {
    const key = usableKey(credentialID)
    if (!key.otp || authObjectID !== otpId) throw new CscRefused('invalid_request', 'Invalid parameter authObjectID')
    const otp = activations.drawOtp(credentialID)
    if (!otp) throw new CscRefused('invalid_request', 'Too many challenges')
    await service.sendOtp(key.owner, otp)
    return undefined
  })

  method('credentials/authorize', AuthorizeBody, (body, caller) => {
    const key = usableKey(body.credentialID)
    if (body.numSignatures > mostSignatures)
      throw new CscRefused('invalid_request', 'Numbers of signatures is too high')
    if (body.numSignatures !== body.hashes.length)
      throw new CscRefused('invalid_request', 'Invalid value for parameter numSignatures')
    demandDigests(body)
    if (key.otp) activations.useOtp(key.id, body.authData?.find(({ id }) => id === otpId)?.value ?? '')
    return activations.activate({ client: caller, credential: key.id, hashes: body.hashes })
  })

  method('signatures/signHash', SignBody, (body, caller) => {
    const key = usableKey(body.credentialID)
    if (body.signAlgo !== rsa && body.signAlgo !== rsaWithSha256)
      throw new CscRefused('invalid_request', 'Invalid parameter signAlgo')
    demandDigests(body)
    activations.spend(body.SAD, { client: caller, credential: key.id, hashes: body.hashes })
    const sign = (hash: string) => Buffer.from(keys.sign(key.id, Buffer.from(hash, 'base64'))).toString('base64')
    return { signatures: body.hashes.map(sign) }
  })
}

/** One spelling each, so that comparing them is comparing what is signed. */
function demandDigests({
  hashes: given,
  hashAlgorithmOID,
}: {
  hashes: string[]
  hashAlgorithmOID?: string | undefined
}) {
  if ((hashAlgorithmOID ?? sha256Oid) !== sha256Oid)
    throw new CscRefused('invalid_request', 'Invalid parameter hashAlgorithmOID')
  for (const hash of given) {
    const bytes = Buffer.from(hash, 'base64')
    if (bytes.toString('base64') !== hash)
      throw new CscRefused('invalid_request', 'Invalid Base64 hash string parameter')
    if (bytes.length !== 32) throw new CscRefused('invalid_request', 'Invalid digest value length')
  }
}

const same = (one: string, other: string) => timingSafeEqual(digest(one), digest(other))
const digest = (secret: string) => createHash('sha256').update(secret).digest()
