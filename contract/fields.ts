import * as z from 'zod/mini'
import type { FieldProblem } from './errors.ts'
import { limits } from './limits.ts'

const says = (problem: FieldProblem) => problem

/** A required line of text: trimmed, NFC, counted in code points. `empty` is the problem when nothing was entered (VAL-1). */
export const line = (max: number, empty: FieldProblem = 'required') =>
  z.string(says(empty)).check(
    z.trim(),
    z.normalize('NFC'),
    z.minLength(1, says(empty)),
    z.refine((text) => [...text].length <= max, says('too-long')),
    z.refine((text) => !hasControlCharacter(text), says('format')),
  )

/**
 * Line breaks and other controls split headers and log lines, and marks of direction turn round what stands beside a name
 * (R74, R76). Half a surrogate pair has no UTF-8: another character would be kept in its place.
 */
function hasControlCharacter(text: string) {
  return /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text)
}

/** A secret as typed: never trimmed or cut; its length is bounded before any hashing (R18). */
export const secret = (empty: FieldProblem) =>
  z.string(says(empty)).check(
    z.minLength(1, says(empty)),
    z.maxLength(1024, says('too-long')),
    // Half a surrogate pair has no UTF-8: any two of them would be hashed as the same character (R13).
    z.refine((text) => text.isWellFormed(), says('format')),
  )

/**
 * One mailbox, stricter than RFC 5321: no quoted local parts, comments or address literals, so that no mail
 * library can read a second recipient out of it (R74). Letters beyond ASCII are allowed in the domain only (IDN).
 */
export const Email = line(limits.text.email).check(
  z.refine(
    (text) =>
      /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}){0,16}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])$/u.test(
        text,
      ) && text.indexOf('@') <= 64,
    says('email-format'),
  ),
)

/** A phone number in E.164, which is the only spelling a budget may be kept by (R26). */
export const PhoneNumber = z.string(says('required')).check(z.regex(/^\+[1-9]\d{6,14}$/, says('phone-format')))

/** A one-time code as typed or pasted: spaces and dashes are forgiven, six digits remain. */
export const CodeEntry = z.pipe(
  z.pipe(
    z.string(says('required')).check(z.maxLength(64, says('code-format'))),
    z.transform((text: string) => text.replace(/[\s\u00a0-]/g, '')),
  ),
  z.string().check(z.minLength(1, says('required')), z.regex(/^\d{6}$/, says('code-format'))),
)

/** The database has no year 0. */
export const Instant = z.iso.datetime({ precision: 3 }).check(z.refine((instant) => instant >= '0001'))
export const Uuid = z.uuid()
/** Which state of a thing a call was made for (R51, R56); the database counts it in 32 bits. */
export const Version = z.int().check(z.minimum(1), z.maximum(2_147_483_647))
/** A 256-bit random token in base64url. */
export const Token = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/, says('format')))

/** Bytes in base64url, as WebAuthn's JSON has them. */
export const base64url = (most: number) => z.string().check(z.maxLength(most), z.regex(/^[A-Za-z0-9_-]+$/))
