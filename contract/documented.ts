import * as z from 'zod/mini'

/** What the OpenAPI documents say of schemas (API-6). The browser's build drops the texts (build/lighter-modules.ts). */
export const texts = z.registry<{ id?: string; description?: string }>()

/**
 * The schema with a text of its own about what its field means here: shape, unit and bounds, where the name does not tell. A copy, because
 * other fields share the schema.
 */
export function described<const S extends z.ZodMiniType>(description: string, schema: S): S {
  const copy = schema.clone()
  texts.add(copy, { description })
  return copy
}

/** A schema with a name, because several calls share it: it is one component of a document, and one type of a generated client. */
export function component<const S extends z.ZodMiniType>(id: string, description: string, schema: S): S {
  const copy = schema.clone(schema.def)
  texts.add(copy, { id, description })
  return copy
}
