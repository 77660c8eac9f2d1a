import { generateKeyPairSync, createPrivateKey, createPublicKey, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { ActivationContent } from '../../contract/rules/activation-content.ts'
import { decryptJwe, type JweKey } from '../../pki/jwe.ts'
import { fromBase32, toBase32 } from '../../pki/totp.ts'
import { createFile } from '../atomic-file.ts'
import { addNewest } from '../newest-entries.ts'

/** The object for which an app is activated: a signature, or a user's access to a seal. */
export const ActivationFor = z.union([
  z.object({ signature: z.string() }),
  z.object({ seal: z.string(), user: z.string() }),
])
export type ActivationFor = z.infer<typeof ActivationFor>

export type AppActivations = Awaited<ReturnType<typeof openAppActivations>>

const lifeMs = 10 * 60_000
/** Repeated requests must not fill the memory, so the oldest entries are removed. */
const maxEntries = 10_000

/**
 * The activation of signing apps: what an app scans, in memory, because it can be made again at any time; and the key to which the
 * portal encrypts its own secrets.
 */
export async function openAppActivations({
  directory,
  baseUrl,
  now,
}: {
  directory: string
  /** The address at which apps are activated. */
  baseUrl: string
  now: () => Date
}) {
  await mkdir(directory, { recursive: true })
  const keyPath = join(directory, 'key.pem')
  if (!existsSync(keyPath)) await createFile(keyPath, newKey())
  const key = createPrivateKey(readFileSync(keyPath))
  const byRequest = new Map<string, ActivationContent>()
  const open = new Map<string, { target: ActivationFor; until: number }>()
  const activated: ActivationFor[] = []

  return {
    publicKey: { key: createPublicKey(key), kid: 'demonstration' } satisfies JweKey,
    /** What an app scans; the same again for a repeated request. */
    give(request: string, target: ActivationFor): ActivationContent {
      const known = byRequest.get(request)
      if (known && Date.parse(known.expiresAt) > now().getTime()) return known
      const code = toBase32(randomBytes(15))
      const until = now().getTime() + lifeMs
      const content = { content: `${baseUrl}/${code}`, code, expiresAt: new Date(until).toISOString() }
      addNewest(byRequest, request, content, maxEntries)
      addNewest(open, code, { target, until }, maxEntries)
      return content
    },
    /** Activates an app by the code that it has scanned, once; false for any other code. */
    activate(code: string): boolean {
      const activation = open.get(code)
      open.delete(code)
      if (!activation || activation.until <= now().getTime()) return false
      activated.push(activation.target)
      return true
    },
    /** The activated apps that the portal has not been notified of. */
    activated,
    /** The secret in a JWE of the portal. */
    decryptSecret(jwe: string): Buffer {
      const { secret } = z.object({ secret: z.string() }).parse(JSON.parse(decryptJwe(key, jwe)))
      const bytes = fromBase32(secret)
      if (!bytes) throw new Error('The secret is not base32')
      return Buffer.from(bytes)
    },
  }
}

const newKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey
