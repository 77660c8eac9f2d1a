import { X509Certificate } from 'node:crypto'
import * as z from 'zod/mini'
import { readPathCertificate } from '../../../pki/asn1/path-certificate.ts'
import type { SigningAlgorithm } from '../../../pki/asn1/signature-algorithm.ts'
import { isStrongKey } from '../../../pki/asn1/signature-check.ts'
import type { SigningAuthorisation, SigningCredential } from '../../platform/ports.ts'
import { algorithmFor, type SignAlgorithm } from './csc-algorithms-offered.ts'

/** The answer of `credentials/info`, and an entry of `credentials/list` (CSC API v2 §11.4, §11.5). */
export const CredentialInfo = z.object({
  key: z.object({ status: z.string(), algo: z.array(z.string()) }),
  // A new key has no certificate yet.
  cert: z.object({ status: z.optional(z.string()), certificates: z.optional(z.array(z.string())) }),
  auth: z.object({
    mode: z.string(),
    expression: z.optional(z.string().check(z.maxLength(500))),
    objects: z.optional(
      z.array(z.object({ type: z.string(), id: z.string(), generator: z.optional(z.string()) })).check(z.maxLength(8)),
    ),
  }),
  multisign: z.optional(z.int().check(z.minimum(1))),
})

type AuthObject = { type: string; id: string; generator?: string | undefined }

/** The factors of a credential, for `credentials/authorize`. */
export type Factors = {
  /** The id of the PIN. */
  pin?: string
  /** The id of the OTP. */
  otp?: string
  /** The ids of the factors that the service collects itself. */
  elsewhere: string[]
  /** Whether the call makes the service ask the customer, for example in its app. */
  asksCustomer: boolean
  sendsBy?: 'getChallenge' | 'sendOTP'
}

/** A credential that can sign, and what a request to sign with it needs. */
export type UsableCredential = { credential: SigningCredential; request: SignAlgorithm; factors: Factors }

/** The reason why a credential is not used: it cannot sign now, which is not an error, or the portal does not support it. */
export type Skipped = { skipped: 'not-valid' } | { skipped: 'unsupported'; why: string }

const unsupported = (why: string): Skipped => ({ skipped: 'unsupported', why })

export function usableCredential(
  id: string,
  { key, cert, auth, multisign = 1 }: z.output<typeof CredentialInfo>,
  { methods, accepted }: { methods: ReadonlySet<string>; accepted: readonly SigningAlgorithm[] | undefined },
): UsableCredential | Skipped {
  if (key.status !== 'enabled' || (cert.status ?? 'valid') !== 'valid') return { skipped: 'not-valid' }
  if (!cert.certificates?.length) return unsupported('no certificate')
  const [certificate, ...chain] = cert.certificates.map((base64) => new Uint8Array(Buffer.from(base64, 'base64')))
  const publicKey = publicKeyOf([certificate, ...chain])
  if (!certificate || !publicKey) return unsupported('unreadable certificate')
  if (!isStrongKey(readPathCertificate(certificate).key)) return unsupported('weak key')
  const algorithm = algorithmFor(publicKey, key.algo, accepted)
  if (!algorithm) return unsupported('algorithms')
  const requirement = authorisationOf(auth, methods)
  if (typeof requirement === 'string') return unsupported(requirement)
  const { authorisation, factors } = requirement
  const usual = { id, certificate, chain, authorisation, algorithm: algorithm.algorithm }
  const credential = { ...usual, mostSignatures: multisign }
  return { credential, request: algorithm.request, factors }
}

/** Returns the public key of the first certificate, if all can be read. */
function publicKeyOf(certificates: (Uint8Array | undefined)[]) {
  try {
    return certificates.map((der) => new X509Certificate(der ?? '').publicKey)[0]
  } catch {
    return undefined
  }
}

type AuthRequirement = { authorisation: SigningAuthorisation; factors: Factors }

/** Returns how a customer authorises, or the reason why the portal does not support it. */
function authorisationOf(
  { mode, expression, objects = [] }: z.output<typeof CredentialInfo>['auth'],
  methods: ReadonlySet<string>,
): AuthRequirement | string {
  if (mode === 'oauth2code')
    return { authorisation: { kind: 'redirect' }, factors: { elsewhere: [], asksCustomer: false } }
  if (!methods.has('credentials/authorize')) return 'no credentials/authorize'
  if (mode === 'implicit')
    return { authorisation: { kind: 'elsewhere' }, factors: { elsewhere: [], asksCustomer: true } }
  if (mode !== 'explicit') return `mode ${mode.slice(0, 40)}`
  for (const chosen of subsets(objects.filter((object) => factorKind(object, methods)))) {
    const ids = new Set(chosen.map(({ id }) => id))
    if (!(expression ? satisfiesExpression(expression, ids) : chosen.length === objects.length)) continue
    const requirement = requirementFor(chosen, methods)
    if (requirement) return requirement
  }
  return `factors ${objects.map(({ type }) => type.slice(0, 40)).join(', ')}`
}

/** Returns the kind of a factor (§8.3.1). A `Password` is a PIN unless a device generates it or the service sends it. */
function factorKind({ type, id, generator }: AuthObject, methods: ReadonlySet<string>) {
  const sendsCode = methods.has('credentials/getChallenge') || methods.has('credentials/sendOTP')
  // The portal cannot show a challenge that the customer answers with a device.
  if (type === 'ChallengeResponse') return sendsCode && !generator ? 'sent' : undefined
  if (type === 'PasswordOOB' || type === 'ChallengeResponseOOB') return 'elsewhere'
  if (type !== 'Password') return undefined
  if (generator) return 'generated'
  if (!/otp/i.test(id)) return 'pin'
  return methods.has('credentials/sendOTP') ? 'sent' : 'generated'
}

/** Returns the requirement for the chosen factors: at most one PIN and one OTP, because the portal has one field for each. */
function requirementFor(chosen: readonly AuthObject[], methods: ReadonlySet<string>): AuthRequirement | undefined {
  const ofKind = (...kinds: string[]) => chosen.filter((object) => kinds.includes(factorKind(object, methods) ?? ''))
  const [pin, secondPin] = ofKind('pin')
  const [otp, secondOtp] = ofKind('sent', 'generated')
  if (secondPin || secondOtp) return undefined
  const elsewhere = ofKind('elsewhere').map(({ id }) => id)
  const asksCustomer = elsewhere.length > 0
  if (!pin && !otp)
    return { authorisation: { kind: asksCustomer ? 'elsewhere' : 'none' }, factors: { elsewhere, asksCustomer } }
  const isSent = !!otp && factorKind(otp, methods) === 'sent'
  const isChallenge = otp?.type === 'ChallengeResponse' && methods.has('credentials/getChallenge')
  return {
    authorisation: { kind: 'codes', otp: otp ? (isSent ? 'sent' : 'generated') : 'none', pin: !!pin },
    factors: {
      elsewhere,
      asksCustomer,
      ...(pin && { pin: pin.id }),
      ...(otp && { otp: otp.id }),
      ...(isSent && { sendsBy: isChallenge ? 'getChallenge' : 'sendOTP' }),
    },
  }
}

/** Returns all subsets, the smallest first. */
function subsets<T>(items: readonly T[]): T[][] {
  const all = items.reduce<T[][]>((found, item) => [...found, ...found.map((subset) => [...subset, item])], [[]])
  return all.toSorted((a, b) => a.length - b.length)
}

/** Checks whether these factors satisfy an expression with AND, XOR, OR and brackets (§11.5); false for one that cannot be read. */
function satisfiesExpression(expression: string, ids: ReadonlySet<string>): boolean {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? []
  let at = 0
  const operators = [
    ['OR', (a: boolean, b: boolean) => a || b],
    ['XOR', (a: boolean, b: boolean) => a !== b],
    ['AND', (a: boolean, b: boolean) => a && b],
  ] as const
  function read(level: number): boolean {
    const operator = operators[level]
    if (!operator) return readOne()
    let value = read(level + 1)
    while (tokens[at]?.toUpperCase() === operator[0]) {
      at++
      value = operator[1](value, read(level + 1))
    }
    return value
  }
  function readOne(): boolean {
    const token = tokens[at++]
    if (token !== '(') return ids.has(token ?? '')
    const value = read(0)
    at++
    return value
  }
  const value = read(0)
  return value && at === tokens.length
}
