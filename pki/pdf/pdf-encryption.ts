import { decryptAes, digest, encryptAes, randomBytes } from '#runtime'
import { bytesOf, joined, sameBytes } from '../bytes.ts'
import { PdfError } from './pdf-parser.ts'
import { dictionaryAt, openPdf, type Pdf } from './pdf-read.ts'
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
const zeros = new Uint8Array(16)

/** ISO 32000-2 table 22: only printing, accessibility, filling in and signing without the owner's password. */
export const printAndSign = -1 ^ (0b10_1000 | (1 << 10))

/** Encodes a password of ASCII only, which SASLprep (§7.6.4.3.3) does not change. Throws RangeError for any other password. */
function passwordBytes(password: string) {
  if (!/^[\x20-\x7e]{1,127}$/.test(password)) throw new RangeError('A password has 1 to 127 characters of ASCII')
  return bytesOf(password)
}

/**
 * Encodes a password that somebody else has chosen, which may be empty (§7.6.4.3.3). NFKC is what SASLprep (RFC 4013) does with the letters
 * and spaces that people can type.
 */
const givenBytes = (password: string) => new TextEncoder().encode(password.normalize('NFKC')).subarray(0, 127)

/** Computes the hash of algorithm 2.B (ISO 32000-2 §7.6.4.3.4). */
function slowHash(password: Uint8Array, salt: Uint8Array, userKey = new Uint8Array()) {
  let key = digest('sha256', joined([password, salt, userKey]))
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const block = joined([password, key, userKey])
    const repeated = new Uint8Array(64 * block.length)
    repeated.set(block)
    for (let filled = block.length; filled < repeated.length; filled *= 2) repeated.copyWithin(filled, 0, filled)
    const encrypted = encryptAes(key.subarray(0, 16), key.subarray(16, 32), repeated, false)
    const remainder = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3
    key = digest(remainder === 0 ? 'sha256' : remainder === 1 ? 'sha384' : 'sha512', encrypted)
    last = encrypted.at(-1) ?? 0
  }
  return key.slice(0, 32)
}

type EncryptionOptions = { password: string; owner: string; permissions: number }

/** Creates the encryption dictionary of a file (table 20) and its key; `permissions` are the flags of table 22. */
export function newEncryption({ password, owner, permissions }: EncryptionOptions): {
  dictionary: PdfDictionary
  key: Bytes
} {
  const [userPassword, ownerPassword] = [passwordBytes(password), passwordBytes(owner)]
  const key = randomBytes(32)
  const salts = () => [randomBytes(8), randomBytes(8)] as const
  const entries = (secret: Uint8Array, [check, wrap]: readonly [Bytes, Bytes], userKey?: Bytes) => ({
    hash: joined([slowHash(secret, check, userKey), check, wrap]),
    wrapped: encryptAes(slowHash(secret, wrap, userKey), zeros, key, false),
  })
  const user = entries(userPassword, salts())
  const administrator = entries(ownerPassword, salts(), user.hash)
  // Algorithm 10: a copy of the permissions, encrypted with the key. T: metadata is encrypted too.
  const flags = Uint8Array.of(permissions, permissions >> 8, permissions >> 16, permissions >> 24)
  const permissionBlock = joined([flags, new Uint8Array(4).fill(0xff), bytesOf('Tadb'), randomBytes(4)])
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
    Perms: string(encryptAes(key, zeros, permissionBlock, false)),
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
 * Returns the key of an encrypted file, for the user's or the owner's password (algorithm 2.A). Throws PdfError `wrong-password`, and
 * `encrypted` for a file that is not encrypted with AES-256 of revision 6.
 */
export function encryptionKey(dictionary: PdfDictionary, password: string): Bytes {
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
  const secret = givenBytes(password)
  const isRight = (hash: Uint8Array, userKey?: Bytes) =>
    sameBytes(slowHash(secret, hash.subarray(32, 40), userKey), hash.subarray(0, 32))
  const unwrap = (hash: Uint8Array, wrapped: Uint8Array, userKey?: Bytes) =>
    decryptAes(slowHash(secret, hash.subarray(40, 48), userKey), zeros, wrapped, false)
  let key: Bytes
  if (isRight(user)) key = unwrap(user, stringOf(dictionary, 'UE', 32))
  else if (isRight(owner, user)) key = unwrap(owner, stringOf(dictionary, 'OE', 32), user)
  else throw new PdfError('The password is wrong', 'wrong-password')
  checkPermissions(dictionary, key)
  return key
}

/** Checks that /P matches the encrypted copy, which cannot be changed without the key (algorithm 13). */
function checkPermissions(dictionary: PdfDictionary, key: Bytes) {
  const permissionBlock = decryptAes(key, zeros, stringOf(dictionary, 'Perms', 16), false)
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

/** Encrypts bytes; the result begins with the initialisation vector (§7.6.3.1). */
export function encryptBytes(key: Uint8Array, bytes: Uint8Array) {
  const iv = randomBytes(16)
  return joined([iv, encryptAes(key, iv, bytes, true)])
}

/** Throws PdfError for data that were not encrypted with this key. */
export function decryptBytes(key: Uint8Array, bytes: Uint8Array) {
  try {
    return decryptAes(key, bytes.subarray(0, 16), bytes.subarray(16), true)
  } catch (cause) {
    throw new PdfError('An encrypted part is damaged', 'damaged', { cause })
  }
}

/** Opens any PDF; an encrypted one needs its password. Throws PdfError `encrypted` without one, `wrong-password` with another. */
export function openAnyPdf(bytes: Uint8Array, password?: string): Pdf {
  const encrypted = openPdf(bytes, { unlock: () => undefined })
  if (!encrypted.trailer.has('Encrypt')) return openPdf(bytes)
  if (password === undefined) throw new PdfError('The file is encrypted', 'encrypted')
  const key = encryptionKey(dictionaryAt(encrypted, encrypted.trailer, 'Encrypt'), password)
  const security = {
    encrypt: (plain: Uint8Array) => encryptBytes(key, plain),
    decrypt: (data: Uint8Array) => decryptBytes(key, data),
  }
  return openPdf(bytes, { unlock: () => security })
}
