import type { TestPortal } from './portal-nodes.ts'

/** The portal's id of an object that the provider names. */
export async function portalId({ owner }: TestPortal, table: string, providerId: string): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(`select id from ${table} where provider_id = $1`, [providerId])
  if (!rows[0]) throw new Error(`${table} has no ${providerId}`)
  return rows[0].id
}
