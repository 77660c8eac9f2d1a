import * as z from 'zod/mini'
import type { FieldProblem } from './errors.ts'
import { limits } from './limits.ts'

const says = (problem: FieldProblem) => problem

/**
 * How every text from outside begins: one that is longer is refused before anything else is done with it, and so is half of a
 * surrogate pair, which has no UTF-8. Work on a text can cost more than its length: NFC of 32,000 combining marks takes a
 * second (R109). `longest` counts UTF-16 units.
 */
export const text = (longest: number, empty: FieldProblem = 'format', tooLong: FieldProblem = 'format') =>
  z.string(says(empty)).check(
    z.maxLength(longest, { error: says(tooLong), abort: true }),
    z.refine((given) => given.isWellFormed(), { error: says('format'), abort: true }),
  )

/** A text of one form, such as an id or a hash. */
export const formed = (longest: number, form: RegExp, problem: FieldProblem = 'format', empty = problem) =>
  text(longest, empty, problem).check(z.regex(form, says(problem)))

/** The first characters of a text; what follows is never looked at. */
export const beginning = (longest: number, empty: FieldProblem) =>
  z.string(says(empty)).check(z.overwrite((given) => given.slice(0, longest)))

/** Decomposed letters, pairs of surrogates and spaces around take more room than what remains of them. */
export const asTyped = (max: number) => 4 * max + 64

const written = (max: number, empty: FieldProblem, forbidden: RegExp) =>
  text(asTyped(max), empty, 'too-long').check(
    z.trim(),
    z.normalize('NFC'),
    z.minLength(1, says(empty)),
    z.refine((given) => [...given].length <= max, says('too-long')),
    z.refine((given) => !forbidden.test(given), says('format')),
  )

/**
 * A required line of text: trimmed, NFC, counted in code points. `empty` is the problem when nothing was entered (VAL-1).
 * Line breaks and other controls split headers and log lines; format characters are invisible, and some of them turn
 * round what is next to a name (R74, R76, R111).
 */
export const line = (max: number, empty: FieldProblem = 'required') =>
  written(max, empty, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)

/** A text of several lines, which end with \n alone. */
export const lines = (max: number) => written(max, 'required', /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)

/**
 * A secret as typed: never trimmed or cut; its length is bounded before any hashing (R18). Any two halves of a surrogate pair
 * would be hashed as the same character (R13).
 */
export const secret = (empty: FieldProblem) => text(1024, empty, 'too-long').check(z.minLength(1, says(empty)))

/**
 * One mailbox, stricter than RFC 5321: no quoted local parts, comments or address literals, so that no mail
 * library can read a second recipient out of it (R74). Letters beyond ASCII are allowed in the domain only (IDN).
 */
export const Email = line(limits.text.email).check(
  z.refine(
    (address) =>
      /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}){0,16}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])$/u.test(
        address,
      ) && address.indexOf('@') <= 64,
    says('email-format'),
  ),
)

/** A phone number in E.164, which is the only spelling a budget may be kept by (R26). */
export const PhoneNumber = formed(16, /^\+[1-9]\d{6,14}$/, 'phone-format', 'required')

/** A one-time code as typed or pasted: spaces and dashes are forgiven, six digits remain. */
export const CodeEntry = z.pipe(
  z.pipe(
    text(64, 'required', 'code-format'),
    z.transform((typed: string) => typed.replace(/[\s\u00a0-]/g, '')),
  ),
  z.string().check(z.minLength(1, says('required')), z.regex(/^\d{6}$/, says('code-format'))),
)

/** The database has no year 0. */
export const Instant = text(24).check(
  z.iso.datetime({ precision: 3 }),
  z.refine((instant) => instant >= '0001'),
)
/** A day, as RFC 3339 has it. */
export const Day = text(10).check(z.iso.date())
export const Uuid = text(36).check(z.uuid())
/** Which state of a thing a call was made for (R51, R56); the database counts it in 32 bits. */
export const Version = z.int().check(z.minimum(1), z.maximum(2_147_483_647))
/** A 256-bit random token in base64url. */
export const Token = formed(43, /^[A-Za-z0-9_-]{43}$/)
/** Where a list goes on, as the page before it said. */
export const Cursor = text(512)

/** Bytes in base64url, as WebAuthn's JSON has them. */
export const base64url = (most: number) => formed(most, /^[A-Za-z0-9_-]+$/)
