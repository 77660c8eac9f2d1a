import { setup } from '../tools/test-database.ts'

/** The PostgreSQL of the tests, with its migrated template, for as long as `use` takes. */
export async function withTestPostgres<T>(use: (url: string) => Promise<T>): Promise<T> {
  let postgres = ''
  const stop = await setup({ provide: (_, url) => void (postgres = url) })
  try {
    return await use(postgres)
  } finally {
    await stop()
  }
}
