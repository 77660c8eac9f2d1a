import * as z from 'zod/mini'

/** Texts of the OpenAPI documents about schemas (API-6). The browser's build drops them (build/lighter-modules.ts). */
export const texts = z.registry<{ id?: string; description?: string }>()

/**
 * Returns a copy of the schema with its own text about the meaning of the field here: shape, unit and bounds, where the name does not say.
 * It is a copy, because other fields share the schema.
 */
export function described<const S extends z.ZodMiniType>(description: string, schema: S): S {
  const copy = schema.clone()
  texts.add(copy, { description })
  return copy
}

/** Returns a schema with a name, because several calls share it: it is one component of a document, and one type of a generated client. */
export function component<const S extends z.ZodMiniType>(id: string, description: string, schema: S): S {
  const copy = schema.clone(schema.def)
  texts.add(copy, { id, description })
  return copy
}
