import * as z from 'zod/mini'

/** A function that draws a whole number from 0 up to and without `below`. */
export type Draw = (below: number) => number

/** Returns a generator of integers below a limit, the same for the same seed (mulberry32). */
export function random(seed: number): Draw {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

/** Returns a generator of numbers from 0 to 1, the same for the same seed, so that a finding can be reproduced. */
export function numbersFrom(seed: number) {
  const draw = random(seed)
  return () => draw(2 ** 32) / 2 ** 32
}

/** Values of X-Forwarded-For without a valid address. */
export const hostileForwarding: readonly string[] = [
  'unknown',
  '_hidden',
  '999.1.1.1',
  '1.2.3',
  '01.02.03.04',
  '0x7f.1',
  '2130706433',
  '::ffff:999.1.1.1',
  '[::1',
  '[unknown]:80',
  '1.2.3.4:port',
  '1.2.3.4:5:6',
  '2001:db8::1::2',
  '%',
  'for=192.0.2.1',
  "' or 1=1--",
  'x'.repeat(8000),
  '1.'.repeat(4000),
]

/** The parts of JSON Schema that the contract uses. */
export type Schema = {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
}

export const schemaOf = (schema: z.ZodMiniType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema

type Path = (string | number)[]

/** Returns the paths of all texts in a body of this schema. */
export function textPaths(schema: Schema, at: Path = []): Path[] {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.flatMap((choice) => textPaths(choice, at))
  if (schema.properties)
    return Object.entries(schema.properties).flatMap(([key, part]) => textPaths(part, [...at, key]))
  if (schema.items) return textPaths(schema.items, [...at, 0])
  return schema.type === 'string' && !schema.enum && !('const' in schema) ? [at] : []
}

export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce((part, key) => (part as Record<string | number, unknown> | undefined)?.[key], value)

/** Returns a copy with the text at a path. */
export function putAt(value: unknown, [key, ...rest]: Path, text: string): unknown {
  if (key === undefined) return text
  if (typeof key === 'number') return [putAt(Array.isArray(value) ? value[0] : undefined, rest, text)]
  const object = (value ?? {}) as Record<string, unknown>
  return { ...object, [key]: putAt(object[key], rest, text) }
}

/** Long texts that are the most expensive for Unicode algorithms. Each is cut to the size limit of a request. */
const worst: Record<string, (length: number) => string> = {
  // Canonical reordering of combining marks is quadratic: each of the second kind moves over all of the first.
  'marks out of order': (length) => `a${'\u0301'.repeat(length / 2)}${'\u0323'.repeat(length / 2)}`,
  'marks in turn': (length) => `a${'\u0301\u0323'.repeat(length / 2)}`,
  'marks of many classes': (length) =>
    `a${'\u0345\u0315\u0321\u0334\u05b0\u064b\u0e38\u0f71\u302a\u3099'.repeat(length / 10)}`,
  'marks of the supplementary planes': (length) => `a${'\u{1d165}\u{1d16d}\u{1d17b}'.repeat(length / 6)}`,
  'Hangul in pieces': (length) => '\u1112\u1161\u11ab'.repeat(length / 3),
  'leading Jamo alone': (length) => '\u1100'.repeat(length),
  'joined emoji': (length) => '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d'.repeat(length / 9),
  'regional indicators': (length) => '\u{1f1f5}'.repeat(length / 2),
  tags: (length) => `\u{1f3f4}${'\u{e0067}'.repeat(length / 2)}`,
  'what NFKC makes eighteen of': (length) => '\ufdfa'.repeat(length),
  ligatures: (length) => '\ufb03\u3300\u33ff'.repeat(length / 3),
  'letters whose case has another length': (length) => '\u00df\u0130\u0149\u01f0\u1e9e'.repeat(length / 5),
  'final sigma': (length) => '\u03a3'.repeat(length),
  'from right to left': (length) => '\u202e\u05d0\u0627'.repeat(length / 3),
  'nested isolates': (length) => '\u2066'.repeat(length / 2) + '\u2069'.repeat(length / 2),
  'full width': (length) => '\uff11\uff21\uff0e'.repeat(length / 3),
  'white space': (length) => '\u00a0\u2003\u3000 \t'.repeat(length / 5) + 'x',
  'a host of many labels': (length) => `a@${'xn--a.\u00e9.'.repeat(length / 9)}pl`,
  'a long host': (length) => `https://${'\u00e9\u0323\u0301'.repeat(length / 3)}.example`,
  digits: (length) => `+48${'5'.repeat(length)}`,
  plain: (length) => 'a'.repeat(length),
  'at signs': (length) => 'a@'.repeat(length / 2),
  dots: (length) => `a@${'a.'.repeat(length / 2)}`,
  dashes: (length) => '\u2010\u2212-'.repeat(length / 3),
  'halves of pairs': (length) => '\ud800'.repeat(length / 6),
}

/** Returns the longest beginning of a text that takes at most `bytes` in JSON. */
const cut = (text: string, bytes: number) => {
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (Buffer.byteLength(JSON.stringify(text.slice(0, middle))) <= bytes) low = middle
    else high = middle - 1
  }
  return text.slice(0, low)
}

/** Returns the worst known texts by name, each of at most `bytes` in JSON. */
export const hostileTexts = (bytes: number): [name: string, text: string][] =>
  Object.entries(worst).map(([name, make]) => [name, cut(make(bytes), bytes)])

export const texts = [
  '',
  ' ',
  'x',
  'Żółć',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202Egnp.exe',
  '😀'.repeat(40),
  'a'.repeat(10_000),
  "' or '1'='1' --",
  '"; drop table accounts; --',
  '../../../../etc/passwd',
  '%00%0d%0aX: y',
  '{{7*7}}${7*7}<script>1</script>',
  '=1+1',
  '１２３',
  '2026-02-30',
  '9999-12-31T23:59:59.999Z',
  '-1',
  'NaN',
  '__proto__',
  'null',
  ...hostileTexts(60_000).map(([, text]) => text),
]
const numbers = [0, -0, -1, 1, 0.5, 1e308, -1e308, 2 ** 31, 2 ** 53, Number.MIN_VALUE]
const nest = (depth: number): unknown => (depth ? [nest(depth - 1)] : 1)
const oddities: readonly unknown[] = [
  ...texts,
  ...numbers,
  null,
  true,
  false,
  [],
  {},
  [[]],
  nest(60),
  { constructor: { prototype: { polluted: 1 } } },
  JSON.parse('{"__proto__":{"polluted":1}}'),
  Array.from({ length: 2000 }, () => 'x'),
  Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, i])),
]

/** Makes values of a schema, and values that nearly match it. */
export function makeUp(next: () => number, seen: ReadonlySet<string>) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!
  const chance = (share: number) => next() < share

  function text({ pattern, format, minLength = 0, maxLength = 40 }: Schema): string {
    if (format === 'uuid') return crypto.randomUUID()
    if (format === 'date') return pick(['2026-06-01', '1980-02-29', '2099-12-31'])
    if (format === 'date-time') return pick(['2026-06-01T00:00:00.000Z', '2026-06-01T00:00:00Z'])
    const known = [...seen].filter(
      (candidate) =>
        candidate.length >= minLength &&
        candidate.length <= maxLength &&
        (!pattern || new RegExp(pattern, 'u').test(candidate)),
    )
    return known.length && chance(0.8)
      ? pick(known)
      : 'Ab1-'.repeat(64).slice(0, Math.max(minLength, Math.floor(next() * maxLength)))
  }

  function value(schema: Schema): unknown {
    if ('const' in schema) return schema.const
    if (schema.enum) return pick(schema.enum)
    const choice = schema.anyOf ?? schema.oneOf
    if (choice) return value(pick(choice))
    switch (schema.type) {
      case 'object': {
        const fields = Object.entries(schema.properties ?? {})
        return Object.fromEntries(
          fields
            .filter(([name]) => schema.required?.includes(name) || chance(0.5))
            .map(([name, part]) => [name, value(part)]),
        )
      }
      case 'array':
        return Array.from({ length: Math.floor(next() * Math.min(4, (schema.maxItems ?? 3) + 1)) }, () =>
          value(schema.items ?? {}),
        )
      case 'string':
        return text(schema)
      case 'integer':
      case 'number':
        return pick([schema.minimum ?? 0, schema.maximum ?? 100, Math.floor(next() * 1000)])
      case 'boolean':
        return chance(0.5)
      default:
        return pick([null, ...oddities])
    }
  }

  /** Returns a copy with one error: a part is removed, wrapped, replaced or added. */
  function spoiled(given: unknown): unknown {
    if (typeof given !== 'object' || given === null || chance(0.2)) return pick(oddities)
    if (Array.isArray(given)) return given.length ? given.toSpliced(0, 1, spoiled(given[0])) : pick(oddities)
    const names = Object.keys(given)
    if (!names.length || chance(0.2))
      return { ...given, [pick(['extra', 'constructor', 'id', 'role', '__proto__x'])]: pick(oddities) }
    const name = pick(names)
    const { [name]: part, ...rest } = given as Record<string, unknown>
    if (chance(0.2)) return rest
    return { ...rest, [name]: chance(0.3) ? [part] : spoiled(part) }
  }

  return { pick, chance, value, spoiled }
}

/** Collects texts of valid requests, which later provide values for patterns. */
export function remember(part: unknown, seen: Set<string>): void {
  if (typeof part === 'string' && part.length < 200 && seen.size < 3000) seen.add(part)
  else if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) remember(inner, seen)
}

export const wellFormed = (text: string) => text.slice(0, 1500).toWellFormed()

/** Returns a copy of a file that is cut off, overwritten in places, or replaced. */
export function spoiledFile(file: Buffer, next: () => number): Buffer {
  const kind = next()
  if (kind < 0.2) return Buffer.from('%PDF-1.7\n')
  if (kind < 0.5) return Buffer.from(file.subarray(0, Math.floor(next() * file.length)))
  const copy = Buffer.from(file)
  for (let i = 0; i < 20; i++) copy[Math.floor(next() * copy.length)] = Math.floor(next() * 256)
  return copy
}
