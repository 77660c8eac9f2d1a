import * as core from 'zod/v4/core'
import * as z from 'zod/mini'

/**
 * The same schema with its objects compiled, which checks a list of rows in a third of the time. The contract's own are
 * interpreted: they serve browsers too, whose policy forbids making code at run time.
 */
export function compiled(schema: core.$ZodType): core.$ZodType {
  if (schema instanceof z.ZodMiniObject) {
    const shape = Object.fromEntries(Object.entries(schema.def.shape).map(([key, part]) => [key, compiled(part)]))
    return new core.$ZodObjectJIT({ ...schema.def, shape })
  }
  if (schema instanceof z.ZodMiniArray)
    return new core.$ZodArray({ ...schema.def, element: compiled(schema.def.element) })
  return schema
}
