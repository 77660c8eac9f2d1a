import * as z from 'zod/mini'
import { asTyped, line, text } from './fields.ts'
import { limits } from './limits.ts'

/** A line that may be empty or missing, and is null then. */
export const optionalLine = z.pipe(
  z.nullish(text(asTyped(limits.text.name), 'required', 'too-long')),
  z.transform((given: string | null | undefined, { issues }) => {
    if (!given?.trim()) return null
    const { data, error } = line(limits.text.name).safeParse(given)
    for (const { message } of error?.issues.slice(0, 1) ?? []) issues.push({ code: 'custom', message, input: given })
    return data ?? null
  }),
)
