import * as z from 'zod/mini'
import type { FieldProblem } from '../../contract/errors.ts'
import { line } from '../../contract/fields.ts'
import { documentFits, type IdentityDocument, DocumentType } from '../../contract/identification.ts'
import { limits } from '../../contract/limits.ts'
import { plainNumber } from '../../contract/rules/identifier-numbers.ts'
import { isDocumentValid } from '../../contract/rules/renewal-rules.ts'

/** The one name of entering other details of the identity document, wherever it is offered. */
export const updateDocumentText = { pl: 'Zaktualizuj dane dokumentu', en: 'Update document details' }

const says = (problem: FieldProblem) => problem

/** Number as printed on the document or as typed: „aba 300-000”. */
const Number = z.pipe(
  z.pipe(line(limits.text.name), z.transform(plainNumber)),
  z.string().check(z.regex(/^[A-Z0-9]{1,32}$/, says('document-number'))),
)

/**
 * Returns the schema of the dialog's fields. A number is checked against its kind and country (VAL-4), even while other fields are still
 * empty.
 */
export const identityDocumentForm = (nationality: string, now: Date) =>
  z.pipe(
    z
      .strictObject({
        type: DocumentType,
        number: Number,
        validTo: z.optional(z.iso.date(says('date-format'))),
        unlimited: z.boolean(),
        issuedBy: line(limits.text.name),
      })
      .check(
        z.refine(({ type, number }) => documentFits(type, nationality, number), {
          error: says('document-number'),
          path: ['number'],
          when: ({ value, issues }) =>
            typeof (value as { number?: unknown }).number === 'string' &&
            !issues.some(({ path }) => path?.[0] === 'number' || path?.[0] === 'type'),
        }),
        z.refine(({ unlimited, validTo }) => unlimited || validTo !== undefined, {
          error: says('required'),
          path: ['validTo'],
          when: () => true,
        }),
        z.refine(({ unlimited, validTo }) => unlimited || !validTo || isDocumentValid(validTo, now), {
          error: says('document-expired'),
          path: ['validTo'],
          when: ({ issues }) => !issues.some(({ path }) => path?.[0] === 'validTo'),
        }),
      ),
    z.transform(({ type, number, validTo, unlimited, issuedBy }): IdentityDocument => ({
      type,
      number,
      validTo: unlimited || validTo === undefined ? null : validTo,
      issuedBy,
    })),
  )
