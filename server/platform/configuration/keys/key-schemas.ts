import { isIP } from 'node:net'
import * as z from 'zod/mini'

/** A configuration key, for the code that reads it and for `docs/guides/configure.md`. */
export type ConfigurationKey = {
  about: string
  /** Possible values, as text for people. */
  type: string
  /** The schema of the value, whose messages complete the sentence "KEY …". */
  schema: z.ZodMiniType<unknown, string>
  /** The default value. */
  standard?: string
  /** Effect of no value, as text for people, if `standard` and `needed` do not say it. */
  otherwise?: string
  /** The key whose value needs this one, and why: it completes the sentence "KEY is not set: …". */
  needed?: { with: string; why: string }
  /** A valid value; a secret may have none. */
  example?: string
  /** The minimum length of a secret, which is never shown and can also be in the file named by NAME_FILE (R82). */
  secret?: number
  /** Checks whether only a real portal has such a value: a demonstration with it must be declared public (R122). */
  isReal?: (value: string) => boolean
}

export const always = () => true
export const isLoopback = (host: string) => /^(?:127\.\d+\.\d+\.\d+|\[?::1\]?|localhost)$/.test(host)

export const text = z.string()
export const textThat = (isValid: (value: string) => boolean, error: string) =>
  z.string().check(z.refine(isValid, error))

export const urlWith = (...schemes: string[]) =>
  textThat(
    (value) => URL.canParse(value) && schemes.includes(new URL(value).protocol),
    `is not an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
  ).check(z.refine(hasDecodableLogin, 'has a literal % in its login or password: write it as %25'))

/** Checks that login and password can be decoded: drivers decode them, and fail at an invalid escape. */
function hasDecodableLogin(value: string) {
  if (!URL.canParse(value)) return true
  const { username, password } = new URL(value)
  try {
    return decodeURIComponent(username + password) !== undefined
  } catch {
    return false
  }
}

export const webUrl = urlWith('https:', 'http:')
export const filePathType = 'path of a file'

// What several keys have in common, to be spread into each.

/** The address of another system of the provider. */
export const serviceKey = {
  type: 'web address',
  schema: webUrl,
  isReal: always,
} as const satisfies Partial<ConfigurationKey>
/** A name of the portal at such a system, and its secret there. */
export const nameKey = { type: 'text', schema: text, isReal: always } as const satisfies Partial<ConfigurationKey>
export const secretKey = {
  type: '16 characters or more',
  schema: text,
  secret: 16,
  isReal: always,
} as const satisfies Partial<ConfigurationKey>
/** Certificates that are trusted. */
export const certificatesKey = {
  type: `${filePathType} in PEM`,
  schema: text,
  isReal: always,
} as const satisfies Partial<ConfigurationKey>

/** The address of a listener. A name, also `localhost`, can lead to several addresses, or to another one than was meant. */
export const ownAddress = textThat((value) => isIP(value) !== 0, 'is not an IP address such as 0.0.0.0')

/** Common fields of the key for a listener's address; unless it is set, only this machine reaches the portal there. */
export const ownAddressKey = {
  type: 'IP address of this machine',
  schema: ownAddress,
  standard: '127.0.0.1',
  example: '0.0.0.0',
  isReal: (value: string) => !isLoopback(value),
} as const satisfies Partial<ConfigurationKey>

/** Creates the schema of a whole number. The default maximum fits the database's integers. */
export const wholeNumber = (least: number, most = 1_000_000_000) =>
  z.pipe(
    textThat(
      (value) => /^-?\d{1,15}$/.test(value) && Number(value) >= least && Number(value) <= most,
      `is not a whole number from ${least} to ${most}`,
    ),
    z.transform(Number),
  )

export const choice = <const T extends string>(...choices: readonly T[]) =>
  z.enum(choices, {
    error: ({ input }) => `is ${String(input)}; it can be ${choices.join(', ')}`,
  }) as unknown as z.ZodMiniType<T, string>

export const onOff = z.pipe(
  choice('on', 'off'),
  z.transform((value) => value === 'on'),
)

export const onOffKey = { type: '`on` or `off`', schema: onOff } as const satisfies Partial<ConfigurationKey>
export const countKey = { type: '1 or more', schema: wholeNumber(1) } as const satisfies Partial<ConfigurationKey>

/** Splits a list into its entries, separated by spaces or commas. */
export const wordsOf = (value: string) => value.split(/[\s,]+/).filter(Boolean)

/** Creates the schema of a list separated by spaces or commas; `error` is reported for each invalid entry. */
export const listOf = (isValid: (entry: string) => boolean, error: string, normalise = (entry: string) => entry) =>
  z.pipe(
    z.string(),
    z.transform((value, context) => {
      const entries = wordsOf(value).map(normalise)
      for (const entry of entries.filter((candidate) => !isValid(candidate)))
        context.issues.push({ code: 'custom', message: `has ${entry}, which is ${error}`, input: value })
      return entries
    }),
  ) as unknown as z.ZodMiniType<string[], string>

/** Normalises a host as in URLs, without the default port; anything else is returned unchanged. */
function hostOf(word: string): string {
  const url = URL.canParse(`https://${word}`) ? new URL(`https://${word}`) : undefined
  return url?.href === `https://${url?.host}/` ? url.host : word
}

const isHost = (word: string) =>
  !word.includes('*') && URL.canParse(`https://${word}`) && new URL(`https://${word}`).host === word

/** Creates the schema of a list of hosts, with a port where it is not the usual one; `examples` are for the message. */
export const hostList = (examples: string) => listOf(isHost, `not a host such as ${examples}`, hostOf)

/** Common placeholders, longest first, so that `changeit` is not read as `change` and two letters. */
const weakWords = `
  password changeme changeit passwort haslo secret default example sample placeholder letmein qwerty postgres sygnet
  portal admin root test demo token apikey key change your this here todo dummy insert please put the my me it abc
  12345678 123456 1234 123 xxx 000`
  .trim()
  .split(/\s+/)
  .toSorted((a, b) => b.length - a.length)

/** Returns why a secret is weak, to complete the sentence "KEY …"; undefined if it is not (R82). */
export function weaknessOf(secret: string, least: number): string | undefined {
  if (secret.length < least) return `is too short for a secret: it needs ${least} characters or more`
  // Only what is left without the placeholders protects against guessing.
  const left = weakWords.reduce(
    (kept, placeholder) => kept.replaceAll(placeholder, ''),
    secret.toLowerCase().replace(/[^\p{L}\d]/gu, ''),
  )
  if (new Set(left).size < 5) return 'is a default or an example, which anyone can guess: draw one at random'
  return undefined
}

/** Counts the letters that have to be changed, added or removed to make one word of the other (Levenshtein). */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries())
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (letter === other ? 0 : 1)))
    row = next
  }
  return row.at(-1)!
}
