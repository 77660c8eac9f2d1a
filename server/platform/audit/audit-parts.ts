import { sql } from 'kysely'

/** The tables of the trail, and the end of each but the default one. */
export const auditParts = sql<{ name: string; ends: Date | null }>`
  select c.relname as name, substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([^'']+)''\\)')::timestamptz as ends
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'audit'::regclass`
