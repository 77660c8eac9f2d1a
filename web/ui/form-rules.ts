import type * as z from 'zod/mini'
import type { Locale } from '../../contract/enums.ts'
import { fieldProblems, type FieldProblem } from '../../contract/errors.ts'
import type { ApiError, FailureCode } from '../calls/api.ts'
import type { ExplainedFailure } from '../text/failure-answer.tsx'
import { fieldText, unnamedProblems } from '../text/field-text.ts'

/** The error of one field: a problem with a text of its own, or the text of the server's failure. */
export type FieldError = FieldProblem | ExplainedFailure
export type FieldErrors = Record<string, FieldError>

/** Field that shows a failure of the call, by failure code; `other` takes the rest, which otherwise is shown above the form. */
export type FailurePlaces = Partial<Record<FailureCode | 'other', string>>

/** Finds the first problem of each field, in the order of the schema, or the text that a rule has for it in its `params`. */
export function findProblems(schema: z.ZodMiniType, values: unknown): FieldErrors {
  const found: FieldErrors = {}
  for (const { path, message, ...issue } of schema.safeParse(values).error?.issues ?? []) {
    const name = String(path[0] ?? '')
    const own = 'params' in issue && (issue.params as ExplainedFailure | undefined)
    found[name] ??= own || (fieldProblems.find((problem) => problem === message) ?? 'format')
  }
  return found
}

/**
 * Returns the problems to show after one field was left or committed: that field's, and of the others only those already shown that still
 * hold, so that an error disappears as soon as it is corrected and no untouched field turns red (VAL-2).
 */
export function afterCheck(shown: FieldErrors, checked: ReadonlySet<string>, found: FieldErrors): FieldErrors {
  const next: FieldErrors = {}
  for (const name of new Set([...Object.keys(shown), ...checked])) {
    const problem = found[name]
    if (problem) next[name] = problem
    else if (!checked.has(name) && typeof shown[name] === 'object') next[name] = shown[name]
  }
  return next
}

/**
 * Converts a failed call to messages: field by field where the server says so (VAL-3), else at the field that `places` names, else above
 * the form.
 */
export function placeFailure(
  explained: ExplainedFailure,
  failed: ApiError,
  places: FailurePlaces,
  names: ReadonlySet<string>,
) {
  const errors: FieldErrors = {}
  for (const { name, problem } of failed.problem.fields ?? []) {
    const last = name.slice(name.lastIndexOf('.') + 1)
    const field = names.has(name) ? name : names.has(last) ? last : undefined
    if (field) errors[field] ??= problem
  }
  if (Object.keys(errors).length) return { errors }
  const fieldName = places[failed.code] ?? places.other
  return fieldName ? { errors: { [fieldName]: explained } } : { errors, above: explained }
}

export const errorText = (locale: Locale, error: FieldError) =>
  typeof error === 'object' ? error.text : fieldText(error)[locale]

/**
 * Returns the text of `errorText` for the summary, where a problem that names no field gets its label: „E-mail: pole musi być wypełnione”.
 */
export function summaryText(locale: Locale, error: FieldError, label: string | undefined) {
  const text = errorText(locale, error)
  if (!label || typeof error === 'object' || !unnamedProblems.has(error)) return text
  return `${label}: ${text.charAt(0).toLowerCase()}${text.slice(1)}`
}
