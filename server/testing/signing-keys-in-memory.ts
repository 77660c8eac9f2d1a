import { generateKeyPairSync } from 'node:crypto'
import { signDigest } from '../../provider/signing-service/sign-digest.ts'
import {
  usualSettings,
  type KeyFactors,
  type KeySettings,
  type SigningKey,
  type SigningKeys,
} from '../../provider/signing-service/signing-keys.ts'

const draw = (type: KeySettings['type']) =>
  type === 'RSA' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ec', { namedCurve: type })
type KeyPair = ReturnType<typeof draw>
let shared: KeyPair | undefined

/** Replaces provider/signing-service/signing-keys.ts, with shorter keys; `own`: each renewal has its own key, as at the provider. */
export function signingKeysInMemory(own = false): SigningKeys {
  const held = new Map<string, SigningKey & { pair: KeyPair; factors: KeyFactors }>()
  return {
    async make(id, owner, given = {}, factors = {}) {
      const settings = { ...usualSettings, ...given }
      const isShared = settings.type === 'RSA' && !(own && id.startsWith('renewal-'))
      const pair = held.get(id)?.pair ?? (isShared ? (shared ??= draw('RSA')) : draw(settings.type))
      if (!held.has(id)) held.set(id, { id, owner, certificates: [], ...settings, pair, factors })
      return pair.publicKey
    },
    async certify(id, certificates) {
      held.set(id, { ...held.get(id)!, certificates: [...certificates] })
    },
    find: (id) => held.get(id),
    ofOwner: (owner) => [...held.values()].filter((key) => key.owner === owner),
    factors: (id) => held.get(id)!.factors,
    async shareOtpSecret(id, otpSecret) {
      const key = held.get(id)
      if (key) held.set(id, { ...key, factors: { ...key.factors, otpSecret } })
    },
    sign: (id, digest, algorithm) => signDigest(held.get(id)!.pair.privateKey, digest, algorithm),
  }
}
