import { X509Certificate } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { text as bounded } from '../../contract/fields.ts'
import { digestIds } from '../../pki/asn1/signature-algorithm.ts'
import { bearerToken, sameSecret } from '../embedded-services.ts'
import { cscActivations, CscError, type CscActivations } from './csc-activation.ts'
import { serveAuthorization, algorithmIds, parseAlgorithm, requireDigests } from './csc-authorization.ts'
import { curves } from './sign-digest.ts'
import {
  certificateStatus,
  maxSignatures,
  usableKey,
  withCertificate,
  type CertifiedKey,
  type SigningService,
} from './signing-service.ts'

const maxBody = 65_536
const maxPage = 100
const otpId = 'OTP'
const pinId = 'PIN'

const text = bounded(1000).check(z.minLength(1))
const hashes = z.array(text).check(z.minLength(1), z.maxLength(maxSignatures))
const DetailOptions = z.object({
  certificates: z.optional(z.enum(['none', 'single', 'chain'])),
  authInfo: z.optional(z.boolean()),
})
const ListBody = z.extend(DetailOptions, {
  userID: text,
  credentialInfo: z.optional(z.boolean()),
  onlyValid: z.optional(z.boolean()),
  maxResults: z.optional(z.int().check(z.minimum(1))),
  pageToken: z.optional(text),
})
const InfoBody = z.extend(DetailOptions, { credentialID: text })
const AuthorizeBody = z.object({
  credentialID: text,
  numSignatures: z.int().check(z.minimum(1)),
  hashes: z.optional(hashes),
  hashAlgorithmOID: z.optional(text),
  authData: z.optional(z.array(z.object({ id: text, value: text })).check(z.maxLength(5))),
  description: z.optional(bounded(500)),
})
const CheckBody = z.object({ handle: text })
const OtpBody = z.object({ credentialID: text })
const ChallengeBody = z.object({ credentialID: text, authObjectID: text })
const SignBody = z.object({
  credentialID: text,
  SAD: z.optional(text),
  hashes,
  hashAlgorithmOID: z.optional(text),
  signAlgo: text,
  signAlgoParams: z.optional(text),
  operationMode: z.optional(z.literal('S')),
})

type Caller = {
  client: string
  /** The token itself if it is for a credential: it is activation data then (§8.4). */
  activation?: string
}
type Csc = { service: SigningService; activations: CscActivations }
/** The body of an answer; undefined for one without content. */
type Answer = object | undefined

/** The methods of §11 that require the client's token. */
const methods = {
  'credentials/list': method(ListBody, listCredentials),
  'credentials/info': method(InfoBody, ({ service }, { credentialID, ...details }) =>
    describe(service, knownKey(service, credentialID), details),
  ),
  'credentials/authorize': method(AuthorizeBody, authorize),
  'credentials/authorizeCheck': method(CheckBody, checkAuthorization),
  'credentials/getChallenge': method(ChallengeBody, (csc, body) => {
    if (body.authObjectID !== otpId) throw new CscError('invalid_request', 'Invalid parameter authObjectID')
    return sendOtp(csc, body)
  }),
  'credentials/sendOTP': method(OtpBody, sendOtp),
  'signatures/signHash': method(SignBody, signHashes),
}

/**
 * Serves a remote signing service with the API of the Cloud Signature Consortium, version 2. Its only client authenticates by OAuth 2.0 and
 * names the customer. A setting of the key says what a customer has to provide for a signature: nothing, because the client has checked a
 * second factor (clause 11.6, `explicit` without authentication objects), a one-time code and a PIN, a confirmation elsewhere (`implicit`),
 * or an authorisation at the service's page (`oauth2code`). Register it under `/csc/v2`.
 */
export async function serveCsc(app: FastifyInstance, service: SigningService) {
  const { client } = service
  const activations = cscActivations(() => service.now().getTime())
  readBodies(app)
  answerErrors(app)
  app.post('/info', () => infoOf(service))
  const redeem = serveAuthorization(app, service, activations)

  // RFC 6749 §4.1.3 and §4.4.
  app.post<{ Body?: Partial<Record<string, string>> }>('/oauth2/token', async (request, reply) => {
    const { grant_type, client_id = '', client_secret = '', ...form } = request.body ?? {}
    if (grant_type !== 'client_credentials' && grant_type !== 'authorization_code')
      throw new CscError('unsupported_grant_type', 'Only client_credentials and authorization_code are supported')
    if (!sameSecret(client_id, client.id) || !sameSecret(client_secret, client.secret))
      throw new CscError('invalid_client', 'The client is unknown', 401)
    const token = grant_type === 'authorization_code' ? redeem(form, client.id) : activations.issueToken(client.id)
    return reply.header('cache-control', 'no-store').send(token)
  })

  for (const [name, answer] of Object.entries(methods))
    app.post(`/${name}`, async (request, reply) => {
      const caller = authenticateCaller(request, activations)
      if (caller.activation && name !== 'signatures/signHash')
        throw new CscError('access_denied', 'The access token is not valid', 401)
      const result = await answer({ service, activations }, request.body ?? {}, caller)
      if (!result) return reply.code(204).send()
      // §11.6: an authorisation that waits for the customer.
      return reply.code('handle' in result ? 202 : 200).send(result)
    })
}

function readBodies(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: maxBody }, (_, body: string, done) => {
    try {
      done(null, JSON.parse(body))
    } catch {
      done(new CscError('invalid_request', 'The body is not JSON'))
    }
  })
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 4096 },
    (_, body: string, done) => done(null, Object.fromEntries(new URLSearchParams(body))),
  )
}

function answerErrors(app: FastifyInstance) {
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (error instanceof CscError)
      return reply.code(error.status).send({ error: error.error, error_description: error.message })
    const { statusCode = 500 } = error
    if (statusCode >= 400 && statusCode < 500)
      return reply.code(400).send({ error: 'invalid_request', error_description: 'The request cannot be read' })
    request.log.error({ err: error }, 'the signing service has failed')
    return reply.code(500).send({ error: 'server_error', error_description: 'The service has failed' })
  })
}

const infoOf = ({ url }: SigningService) => ({
  specs: '2.0.0.2',
  name: 'Sygnet TEST signing service',
  region: 'PL',
  lang: 'pl-PL',
  description: 'Keys for trying things out',
  authType: ['oauth2client', 'oauth2code'],
  oauth2: url,
  methods: ['info', 'oauth2/authorize', 'oauth2/token', ...Object.keys(methods)],
  signAlgorithms: { algos: [...algorithmIds.RSA, ...algorithmIds.EC] },
  signature_formats: { formats: ['P'], envelope_properties: [['Revision']] },
  conformance_levels: ['Ades-B-B'],
})

function authenticateCaller({ headers }: FastifyRequest, activations: CscActivations): Caller {
  const token = bearerToken(headers)
  const known = activations.clientOf(token)
  if (known) return { client: known }
  const activation = activations.activationOf(token)
  if (!activation) throw new CscError('access_denied', 'The access token is not valid', 401)
  return { client: activation.client, activation: token }
}

/** Checks the body before the method answers. */
function method<S extends z.ZodMiniType>(
  schema: S,
  answer: (csc: Csc, body: z.output<S>, caller: Caller) => Answer | Promise<Answer>,
) {
  return async (csc: Csc, given: unknown, caller: Caller) => {
    const body = schema.safeParse(given)
    if (body.success) return answer(csc, body.data, caller)
    const [issue] = body.error.issues
    throw new CscError('invalid_request', `Missing or invalid parameter ${String(issue?.path[0] ?? '')}`.trim())
  }
}

function knownKey({ keys }: SigningService, id: string) {
  const [key] = withCertificate(keys.find(id))
  if (!key) throw new CscError('invalid_request', 'Invalid parameter credentialID')
  return key
}

function enabledKey(service: SigningService, id: string) {
  const key = usableKey(service, knownKey(service, id).id)
  if (!key) throw new CscError('invalid_request', 'The credential identified by credentialID is disabled')
  return key
}

function describe(
  service: SigningService,
  key: CertifiedKey,
  { certificates = 'single', authInfo = false }: z.output<typeof DetailOptions>,
) {
  const count = { none: 0, single: 1, chain: key.certificates.length }[certificates]
  const curve = key.type === 'RSA' ? undefined : curves[key.type]
  const { modulusLength } = new X509Certificate(key.certificate).publicKey.asymmetricKeyDetails ?? {}
  return {
    signatureQualifier: 'eu_eidas_qes',
    key: {
      status: 'enabled',
      algo: curve ? algorithmIds.EC : algorithmIds.RSA,
      len: curve?.bits ?? modulusLength,
      ...(curve && { curve: curve.id }),
    },
    cert: {
      status: certificateStatus(service, key),
      ...(count
        ? { certificates: key.certificates.slice(0, count).map((der) => Buffer.from(der).toString('base64')) }
        : {}),
    },
    auth: { mode: key.mode, ...(authInfo && key.mode === 'explicit' ? factorsOf(key) : {}) },
    SCAL: String(key.scal),
    multisign: maxSignatures,
  }
}

function listCredentials(
  { service }: Csc,
  { userID, onlyValid, credentialInfo, maxResults = maxPage, pageToken = '0', ...details }: z.output<typeof ListBody>,
) {
  const all = service.keys.ofOwner(userID).flatMap(withCertificate)
  const found = onlyValid ? all.filter((key) => certificateStatus(service, key) === 'valid') : all
  if (!/^\d{1,6}$/.test(pageToken)) throw new CscError('invalid_request', 'Invalid parameter pageToken')
  const from = Number(pageToken)
  const to = from + Math.min(maxResults, maxPage)
  const page = found.slice(from, to)
  return {
    credentialIDs: page.map(({ id }) => id),
    ...(credentialInfo
      ? { credentialInfos: page.map((key) => ({ credentialID: key.id, ...describe(service, key, details) })) }
      : {}),
    ...(onlyValid === undefined ? {} : { onlyValid }),
    ...(to < found.length && { nextPageToken: String(to) }),
  }
}

async function sendOtp(
  { service, activations }: Csc,
  { credentialID: id }: z.output<typeof OtpBody>,
): Promise<undefined> {
  const key = enabledKey(service, id)
  if (key.mode !== 'explicit' || key.otp !== 'sent')
    throw new CscError('invalid_request', 'Invalid parameter credentialID')
  const otp = activations.createOtp(id)
  if (!otp) throw new CscError('invalid_request', 'Too many challenges')
  await service.sendOtp(key.owner, otp)
  return undefined
}

function authorize({ service, activations }: Csc, body: z.output<typeof AuthorizeBody>, caller: Caller) {
  const key = enabledKey(service, body.credentialID)
  const { numSignatures: count, hashes: given, authData = [] } = body
  if (key.mode === 'oauth2code') throw new CscError('invalid_request', 'The credential is authorized by OAuth 2.0')
  if (count > maxSignatures) throw new CscError('invalid_request', 'Numbers of signatures is too high')
  if (given ? given.length !== count : key.scal === 2)
    throw new CscError('invalid_request', 'Invalid value for parameter numSignatures')
  requireDigests(given ?? [], body.hashAlgorithmOID)
  const valueOf = (id: string) => authData.find((entry) => entry.id === id)?.value
  if (key.mode === 'explicit')
    activations.useCodes(key, service.keys.factors(key.id), { otp: valueOf(otpId), pin: valueOf(pinId) })
  const bound = key.scal === 2 ? given : undefined
  const activation = { client: caller.client, credential: key.id, hashes: bound, count }
  return key.mode === 'implicit' ? activations.wait(activation) : activations.activate(activation)
}

function checkAuthorization({ service, activations }: Csc, { handle }: z.output<typeof CheckBody>, { client }: Caller) {
  const isConfirmed = (id: string) => service.hasConfirmed(enabledKey(service, id).owner)
  const activation = activations.check(handle, client, isConfirmed)
  return activation ? activations.activate(activation) : { handle }
}

function signHashes({ service, activations }: Csc, body: z.output<typeof SignBody>, caller: Caller) {
  const key = enabledKey(service, body.credentialID)
  const algorithm = parseAlgorithm(body)
  if ((algorithm.scheme === 'ecdsa') !== (key.type !== 'RSA'))
    throw new CscError('invalid_request', 'Invalid parameter signAlgo')
  requireDigests(body.hashes, digestIds[algorithm.digest])
  const SAD = caller.activation ?? body.SAD ?? ''
  activations.consume(SAD, { client: caller.client, credential: key.id, hashes: body.hashes })
  const sign = (hash: string) => Buffer.from(service.keys.sign(key.id, Buffer.from(hash, 'base64'), algorithm))
  return { signatures: body.hashes.map((hash) => sign(hash).toString('base64')) }
}

/** Returns the factors that `credentials/authorize` needs (§8.3.1 and §11.5). */
function factorsOf({ otp, pin }: CertifiedKey) {
  const objects = [
    ...(pin ? [{ type: 'Password', id: pinId, format: 'N', label: 'PIN', description: 'PIN of the signature' }] : []),
    ...(otp === 'sent'
      ? [{ type: 'ChallengeResponse', id: otpId, format: 'N', label: 'SMS', description: 'Code by SMS' }]
      : []),
    ...(otp === 'generated'
      ? [{ type: 'Password', id: otpId, format: 'N', generator: 'totp', label: 'OTP', description: 'Code of the app' }]
      : []),
  ]
  return { objects, ...(objects.length > 1 && { expression: objects.map(({ id }) => id).join(' AND ') }) }
}
