import * as z from 'zod/mini'
import { line } from './fields.ts'
import { limits } from './limits.ts'

/** A line that may be left empty, or out; it is null then. */
export const maybeLine = z.transform((text: string | null | undefined, { issues }) => {
  if (text === undefined || text === null || (typeof text === 'string' && !text.trim())) return null
  const { data, error } = line(limits.text.name).safeParse(text)
  if (error) issues.push({ code: 'custom', message: error.issues[0]!.message, input: text })
  return data ?? null
})
