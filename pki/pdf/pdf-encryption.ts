import { bytesOf, joined, sameBytes } from '../bytes.ts'
import { PdfError } from './pdf-parser.ts'
import {
  isDictionary,
  isName,
  isString,
  nameOf,
  pdfDictionary,
  pdfName,
  type PdfDictionary,
  type PdfValue,
} from './pdf-value.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Later<T> = T | Promise<T>

/**
 * The cryptography of the standard security handler: synchronous in pdf-cipher-node.ts, asynchronous in
 * pdf-cipher-web.ts. AES in CBC mode; the key's length selects the variant. `padded` means PKCS #7 padding, otherwise the
 * data are whole blocks of 16 bytes.
 */
export type PdfCipher = {
  digest: (bits: 256 | 384 | 512, bytes: Uint8Array) => Later<Bytes>
  encrypt: (key: Uint8Array, iv: Uint8Array, bytes: Uint8Array, padded: boolean) => Later<Bytes>
  /** Throws for wrong padding. */
  decrypt: (key: Uint8Array, iv: Uint8Array, bytes: Uint8Array, padded: boolean) => Later<Bytes>
  random: (length: number) => Bytes
}

const zeros = new Uint8Array(16)

/** ISO 32000-2 table 22: only printing, accessibility, filling in and signing without the owner's password. */
export const printAndSign = -1 ^ (0b10_1000 | (1 << 10))

/** ASCII only, which SASLprep (§7.6.4.3.3) does not change. Throws RangeError for any other password. */
function passwordBytes(password: string) {
  if (!/^[\x20-\x7e]{1,127}$/.test(password)) throw new RangeError('A password has 1 to 127 characters of ASCII')
  return bytesOf(password)
}

/** Algorithm 2.B of ISO 32000-2 §7.6.4.3.4. */
async function slowHash(cipher: PdfCipher, password: Uint8Array, salt: Uint8Array, userKey = new Uint8Array()) {
  let key = await cipher.digest(256, joined([password, salt, userKey]))
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const block = joined([password, key, userKey])
    const repeated = new Uint8Array(64 * block.length)
    repeated.set(block)
    for (let filled = block.length; filled < repeated.length; filled *= 2) repeated.copyWithin(filled, 0, filled)
    const encrypted = await cipher.encrypt(key.subarray(0, 16), key.subarray(16, 32), repeated, false)
    const remainder = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3
    key = await cipher.digest(remainder === 0 ? 256 : remainder === 1 ? 384 : 512, encrypted)
    last = encrypted.at(-1) ?? 0
  }
  return key.slice(0, 32)
}

/** The encryption dictionary of a file (table 20) and its key; `permissions` are the flags of table 22. */
export async function newEncryption(
  cipher: PdfCipher,
  { password, owner, permissions }: { password: string; owner: string; permissions: number },
): Promise<{ dictionary: PdfDictionary; key: Bytes }> {
  const [userPassword, ownerPassword] = [passwordBytes(password), passwordBytes(owner)]
  const key = cipher.random(32)
  const salts = () => [cipher.random(8), cipher.random(8)] as const
  const entries = async (secret: Uint8Array, [check, wrap]: readonly [Bytes, Bytes], userKey?: Bytes) => ({
    hash: joined([await slowHash(cipher, secret, check, userKey), check, wrap]),
    wrapped: await cipher.encrypt(await slowHash(cipher, secret, wrap, userKey), zeros, key, false),
  })
  const user = await entries(userPassword, salts())
  const administrator = await entries(ownerPassword, salts(), user.hash)
  // Algorithm 10: a copy of the permissions, encrypted with the key. T: metadata is encrypted too.
  const flags = Uint8Array.of(permissions, permissions >> 8, permissions >> 16, permissions >> 24)
  const permissionBlock = joined([flags, new Uint8Array(4).fill(0xff), bytesOf('Tadb'), cipher.random(4)])
  const string = (bytes: Uint8Array): PdfValue => ({ kind: 'string', bytes })
  const dictionary = pdfDictionary({
    Filter: pdfName('Standard'),
    V: 5,
    R: 6,
    Length: 256,
    P: permissions,
    U: string(user.hash),
    UE: string(user.wrapped),
    O: string(administrator.hash),
    OE: string(administrator.wrapped),
    Perms: string(await cipher.encrypt(key, zeros, permissionBlock, false)),
    CF: pdfDictionary({
      StdCF: pdfDictionary({
        Type: pdfName('CryptFilter'),
        CFM: pdfName('AESV3'),
        AuthEvent: pdfName('DocOpen'),
        Length: 32,
      }),
    }),
    StmF: pdfName('StdCF'),
    StrF: pdfName('StdCF'),
  })
  return { dictionary, key }
}

/**
 * The key of an encrypted file, for the user's or the owner's password (algorithm 2.A). Throws PdfError `wrong-password`,
 * and `encrypted` for a file that is not encrypted with AES-256 of revision 6.
 */
export async function encryptionKey(cipher: PdfCipher, dictionary: PdfDictionary, password: string): Promise<Bytes> {
  const filters = dictionary.get('CF')
  const filter = isDictionary(filters) ? filters.get(nameOf(dictionary.get('StmF')) ?? '') : undefined
  if (
    !isName(dictionary.get('Filter'), 'Standard') ||
    dictionary.get('V') !== 5 ||
    dictionary.get('R') !== 6 ||
    !isDictionary(filter) ||
    !isName(filter.get('CFM'), 'AESV3') ||
    nameOf(dictionary.get('StrF')) !== nameOf(dictionary.get('StmF')) ||
    dictionary.get('EncryptMetadata') === false
  )
    throw new PdfError('The encryption of the file is not supported', 'encrypted')
  const [user, owner] = [stringOf(dictionary, 'U', 48), stringOf(dictionary, 'O', 48)]
  const secret = /^[\x20-\x7e]{1,127}$/.test(password) ? bytesOf(password) : undefined
  if (!secret) throw new PdfError('The password is wrong', 'wrong-password')
  const isRight = async (hash: Uint8Array, userKey?: Bytes) =>
    sameBytes(await slowHash(cipher, secret, hash.subarray(32, 40), userKey), hash.subarray(0, 32))
  const unwrap = async (hash: Uint8Array, wrapped: Uint8Array, userKey?: Bytes) =>
    cipher.decrypt(await slowHash(cipher, secret, hash.subarray(40, 48), userKey), zeros, wrapped, false)
  let key: Bytes
  if (await isRight(user)) key = await unwrap(user, stringOf(dictionary, 'UE', 32))
  else if (await isRight(owner, user)) key = await unwrap(owner, stringOf(dictionary, 'OE', 32), user)
  else throw new PdfError('The password is wrong', 'wrong-password')
  await checkPermissions(cipher, dictionary, key)
  return key
}

/** Algorithm 13: /P must match the encrypted copy, which cannot be changed without the key. */
async function checkPermissions(cipher: PdfCipher, dictionary: PdfDictionary, key: Bytes) {
  const permissionBlock = await cipher.decrypt(key, zeros, stringOf(dictionary, 'Perms', 16), false)
  const flags = new DataView(permissionBlock.buffer, permissionBlock.byteOffset).getInt32(0, true)
  const claimed = dictionary.get('P')
  if (
    !sameBytes(permissionBlock.subarray(9, 12), bytesOf('adb')) ||
    typeof claimed !== 'number' ||
    flags !== (claimed | 0)
  )
    throw new PdfError('The permissions of the file were changed')
}

function stringOf(dictionary: PdfDictionary, key: string, length: number): Bytes {
  const value = dictionary.get(key)
  if (!isString(value) || value.bytes.length < length) throw new PdfError('The encryption dictionary is damaged')
  return value.bytes.slice(0, length)
}

/** §7.6.3.1: encrypted data begin with the initialisation vector. */
export async function encryptBytes(cipher: PdfCipher, key: Uint8Array, bytes: Uint8Array) {
  const iv = cipher.random(16)
  return joined([iv, await cipher.encrypt(key, iv, bytes, true)])
}

/** Throws PdfError for data that were not encrypted with this key. */
export async function decryptBytes(cipher: PdfCipher, key: Uint8Array, bytes: Uint8Array) {
  try {
    return await cipher.decrypt(key, bytes.subarray(0, 16), bytes.subarray(16), true)
  } catch (cause) {
    throw new PdfError('An encrypted part is damaged', 'damaged', { cause })
  }
}
