import type { RawBuilder } from 'kysely'
import { single, type Db } from './database.ts'

/** What callers need of a statement's result. The statement itself says which rows it has: ``query(db).first(sql<Row>`select …`)``. */
export const query = (db: Db) => ({
  run: async (statement: RawBuilder<unknown>): Promise<void> => void (await statement.execute(db)),
  all: async <Row>(statement: RawBuilder<Row>): Promise<Row[]> => (await statement.execute(db)).rows,
  first: async <Row>(statement: RawBuilder<Row>): Promise<Row | undefined> => (await statement.execute(db)).rows[0],
  /** For a statement that always returns a row. */
  one: async <Row>(statement: RawBuilder<Row>): Promise<Row> => single((await statement.execute(db)).rows),
  finds: async (statement: RawBuilder<unknown>): Promise<boolean> => (await statement.execute(db)).rows.length > 0,
  /** How many rows it has changed. */
  changes: async (statement: RawBuilder<unknown>): Promise<number> =>
    Number((await statement.execute(db)).numAffectedRows),
  changesOne: async (statement: RawBuilder<unknown>): Promise<boolean> =>
    (await statement.execute(db)).numAffectedRows === 1n,
})
