import * as z from 'zod/mini'
import { asTyped, line, text } from './fields.ts'
import { limits } from './limits.ts'

/** A line that may be left empty, or out; it is null then. */
export const maybeLine = z.pipe(
  z.nullish(text(asTyped(limits.text.name), 'required', 'too-long')),
  z.transform((given: string | null | undefined, { issues }) => {
    if (!given?.trim()) return null
    const { data, error } = line(limits.text.name).safeParse(given)
    if (error) issues.push({ code: 'custom', message: error.issues[0]!.message, input: given })
    return data ?? null
  }),
)
