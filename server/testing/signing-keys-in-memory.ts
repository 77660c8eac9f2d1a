import { constants, generateKeyPairSync, privateEncrypt } from 'node:crypto'
import type { SigningKey, SigningKeys } from '../../provider/signing-keys.ts'

const draw = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
type KeyPair = ReturnType<typeof draw>
let shared: KeyPair | undefined

/** As provider/signing-keys.ts, without waiting for long keys; `own`: each renewal has its own, as at the provider. */
export function signingKeysInMemory(own = false): SigningKeys {
  const held = new Map<string, SigningKey & { pair: KeyPair }>()
  const digestInfo = Buffer.from('3031300d060960864801650304020105000420', 'hex')
  return {
    async make(id, owner, { otp = false } = {}) {
      const pair = held.get(id)?.pair ?? (own && id.startsWith('renewal-') ? draw() : (shared ??= draw()))
      if (!held.has(id)) held.set(id, { id, owner, certificates: [], otp, pair })
      return pair.publicKey
    },
    async certify(id, certificates) {
      held.set(id, { ...held.get(id)!, certificates: [...certificates] })
    },
    find: (id) => held.get(id),
    ofOwner: (owner) => [...held.values()].filter((one) => one.owner === owner),
    sign(id, digest) {
      const key = { key: held.get(id)!.pair.privateKey, padding: constants.RSA_PKCS1_PADDING }
      return privateEncrypt(key, Buffer.concat([digestInfo, digest]))
    },
  }
}
