import * as z from 'zod/mini'
import { component, described } from './documented.ts'
import type { FieldProblem } from './errors.ts'
import { limits } from './limits.ts'
import { invisible, lettersAndDigits } from './rules/typed-characters.ts'

/** Returns a schema's message, which has to be one of the codes. */
export const fieldProblem = (code: FieldProblem) => code

/**
 * Returns the base schema of every text from outside. It refuses a longer text before anything else is done with it, and also half of a
 * surrogate pair, which has no UTF-8. Processing can cost more than the length suggests: NFC of 32,000 combining marks takes a second
 * (R109). `longest` counts UTF-16 units.
 */
export const text = (longest: number, empty: FieldProblem = 'format', tooLong: FieldProblem = 'format') =>
  z.string(empty).check(
    z.maxLength(longest, { error: tooLong, abort: true }),
    z.refine((given) => given.isWellFormed(), { error: fieldProblem('format'), abort: true }),
  )

/** Returns the schema of a text that matches a pattern, such as an id or a hash. */
export const patternText = (longest: number, form: RegExp, problem: FieldProblem = 'format', empty = problem) =>
  text(longest, empty, problem).check(z.regex(form, problem))

/** Returns a schema that keeps the first characters of a text and ignores the rest. */
export const truncatedText = (longest: number, empty: FieldProblem) =>
  z.string(empty).check(z.overwrite((given) => given.slice(0, longest)))

/**
 * Returns the greatest length of a text as typed: decomposed letters, surrogate pairs and surrounding spaces are longer than after
 * normalisation.
 */
export const asTyped = (max: number) => 4 * max + 64

/**
 * Removes the blanks and invisible characters around a text, which copied texts have. By steps, because a search for
 * the last ones is quadratic.
 */
function trimmed(given: string): string {
  const isBlank = (at: number) => !given.charAt(at).replace(invisible, '').trim()
  let [start, end] = [0, given.length]
  while (start < end && isBlank(start)) start += 1
  while (start < end && isBlank(end - 1)) end -= 1
  return given.slice(start, end)
}

/** A variation selector that draws no symbol in colour or as text (UTS #51) is not seen either. */
const strayVariation = /(?<!\p{S})\p{VS}/u

const written = (max: number, empty: FieldProblem, forbidden: RegExp) =>
  text(asTyped(max), empty, 'too-long').check(
    z.overwrite(trimmed),
    z.normalize('NFC'),
    z.minLength(1, empty),
    z.refine((given) => [...given].length <= max, fieldProblem('too-long')),
    z.refine(
      (given) => !forbidden.test(given) && !invisible.test(given) && !strayVariation.test(given),
      fieldProblem('format'),
    ),
  )

/**
 * Returns the schema of a required line of text: trimmed, NFC, counted in code points. `empty` is the problem when nothing was entered
 * (VAL-1). Line breaks and other controls could split headers and log lines; format characters are invisible, and some of them reverse the
 * text next to a name (R74, R76, R111).
 */
export const line = (max: number, empty: FieldProblem = 'required') =>
  described(`One line of at most ${max} characters.`, written(max, empty, /[\p{Cc}\p{Zl}\p{Zp}]/u))

/** Returns the schema of a text of several lines, which end with \n only. */
export const lines = (max: number) =>
  described(`At most ${max} characters.`, written(max, 'required', /(?!\n)[\p{Cc}\p{Zl}\p{Zp}]/u))

/**
 * Returns the schema of a secret as typed: never trimmed or cut; its length is checked before any hashing (R18). Unpaired surrogates are
 * refused, because they would all be hashed as the same character (R13).
 */
export const secret = (empty: FieldProblem) => text(1024, empty, 'too-long').check(z.minLength(1, empty))

/**
 * One mailbox, stricter than RFC 5321: no quoted local parts, comments or address literals, so that no mail
 * library can find a second recipient in it (R74). Non-ASCII letters are allowed in the domain only (IDN).
 */
export const Email = component(
  'Email',
  'One mailbox: at most 254 characters, without quotes and comments; the domain may have letters of any script.',
  line(limits.text.email).check(
    z.refine(
      (address) =>
        /^(?=.{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?\.){1,8}[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])$/u.test(
          address,
        ),
      fieldProblem('email-format'),
    ),
  ),
)

/** A phone number in E.164, the only spelling that rate limits count by (R26). */
export const PhoneNumber = component(
  'PhoneNumber',
  'A telephone number in E.164: `+` and 7 to 15 digits, such as `+48600100417`.',
  patternText(16, /^\+[1-9]\d{6,14}$/, 'phone-format', 'required'),
)

/** A one-time code as typed or pasted: six digits of any script, with anything between them. */
export const CodeEntry = z.pipe(
  z.pipe(
    text(64, 'required', 'code-format'),
    z.transform((typed: string) => lettersAndDigits(typed)),
  ),
  z.string().check(z.minLength(1, fieldProblem('required')), z.regex(/^\d{6}$/, fieldProblem('code-format'))),
)

/** PostgreSQL has no year 0. */
export const notYearZero = z.refine<string>((date) => date >= '0001')
/** A handler gives a `Date` too, which the schema of its reply writes (`server/platform/http/compiled-schema.ts`). */
export const Instant = component(
  'Instant',
  'A time in UTC with milliseconds (RFC 3339), such as `2027-01-31T10:30:00.000Z`.',
  text(24).check(z.iso.datetime({ precision: 3 }), notYearZero) as unknown as z.ZodMiniType<string, string | Date>,
)
/** An id in the one spelling that the portal writes: limits count by it, and the audit trail is searched for it. */
export const Uuid = component(
  'Uuid',
  'An id that the portal has made: a UUID (RFC 9562).',
  text(36).check(z.uuid(), z.toLowerCase()),
)
export const ProviderId = component(
  'ProviderId',
  'The provider’s own id of an object: 1 to 64 letters, digits, `.`, `_` and `-`, of which the first is a letter or a digit.',
  patternText(64, /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/),
)
/** The largest is that of the database column, which has 32 bits (R51, R56). */
export const Version = component(
  'Version',
  'The version of an object that the call was made for. It is refused if the object has changed since.',
  z.int().check(z.minimum(1), z.maximum(2_147_483_647)),
)
/** A 256-bit random token in base64url. */
export const Token = component(
  'Token',
  'The token of a link from an e-mail: 43 characters of base64url.',
  patternText(43, /^[A-Za-z0-9_-]{43}$/),
)

/** Returns the schema of bytes in base64url, as in the JSON of WebAuthn. */
export const base64url = (most: number) => patternText(most, /^[A-Za-z0-9_-]+$/)

export const Sha256 = component('Sha256', 'A SHA-256 in lower-case hexadecimal.', patternText(64, /^[0-9a-f]{64}$/))

export const StoredFile = component(
  'StoredFile',
  'A file that the portal has stored.',
  z.strictObject({ sha256: Sha256, bytes: described('The size of the file in bytes.', z.int()) }),
)

export const LocalText = component(
  'LocalText',
  'A text of the provider’s in both languages.',
  z.strictObject({ pl: z.string(), en: z.string() }),
)
