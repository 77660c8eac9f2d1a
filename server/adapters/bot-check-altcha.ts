import { hkdfSync } from 'node:crypto'
import { createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import * as z from 'zod/mini'
import type { BotCheckPort } from '../platform/ports.ts'

/** Seconds. R77 allows no proof that is older than five minutes. */
const challengeLife = 300
/** Work of a proof: at most `tries` derivations of `iterations` each, half of it on average: about half a second on a phone. */
const work = { algorithm: 'PBKDF2/SHA-256', iterations: 2000, tries: 600 }

type AltchaOptions = {
  /** The key of the challenges: 32 bytes or more, the same on every node. */
  secret: Buffer
  /** Returns the database's time, so that nodes with different clocks judge alike (R94). */
  now: () => Promise<Date>
}

type AltchaBotCheck = Omit<BotCheckPort, 'createChallenge'> & {
  createChallenge: (action?: string | null) => Promise<Record<string, unknown>>
}

/**
 * Creates the built-in bot check: a proof of work in the format of ALTCHA 2, without an external service or a puzzle. The proof is the
 * base64 of `{ challenge, solution }` in JSON. A challenge for an action is valid only for that action.
 */
export function botCheckByAltcha({ secret, now }: AltchaOptions): AltchaBotCheck {
  const keyFor = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secret, '', `sygnet bot check ${purpose}`, 32)).toString('hex')
  const secrets = { hmacSignatureSecret: keyFor('challenge'), hmacKeySignatureSecret: keyFor('solution') }
  const seconds = async () => Math.floor((await now()).getTime() / 1000)
  return {
    kind: 'altcha',
    siteKey: '',
    origin: undefined,

    async createChallenge(action = null) {
      // The expiry is in `data`, because the library would compare its own `expiresAt` with this node's clock.
      const data = { expires: (await seconds()) + challengeLife, action }
      const { algorithm, iterations: cost, tries } = work
      return { ...(await createChallenge({ algorithm, cost, counter: randomInt(tries), data, deriveKey, ...secrets })) }
    },

    async verify(proof, { action }) {
      const payload = readProof(proof)
      if (!payload) return refused
      const { nonce, data } = payload.challenge.parameters
      // The signature covers all of these, so they can be trusted below.
      const { verified } = await verifySolution({ ...payload, deriveKey, ...secrets }).catch(() => ({
        verified: false,
      }))
      const left = data.expires - (await seconds())
      const isSameAction = data.action === null || data.action === action
      return verified && isSameAction && left > 0 && left <= challengeLife
        ? { verdict: 'human', nonce, expiresInSeconds: left }
        : refused
    },
  }
}

const refused = { verdict: 'refused', nonce: '', expiresInSeconds: 0 } as const

const Proof = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.literal(work.algorithm),
      nonce: z.string(),
      salt: z.string(),
      cost: z.int(),
      keyLength: z.int(),
      keyPrefix: z.string(),
      data: z.object({ expires: z.int(), action: z.nullable(z.string()) }),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.int(), derivedKey: z.string() }),
})

function readProof(proof: string): z.infer<typeof Proof> | undefined {
  try {
    return Proof.safeParse(JSON.parse(Buffer.from(proof, 'base64').toString('utf8'))).data
  } catch {
    return undefined
  }
}
