import { setup } from '../../tools/test-database.ts'

/** The PostgreSQL of the tests, with its migrated template, for as long as `work` takes. */
export async function withTestPostgres<T>(work: (url: string) => Promise<T>): Promise<T> {
  let postgres = ''
  const stop = await setup({ provide: (_, url) => void (postgres = url) })
  try {
    return await work(postgres)
  } finally {
    await stop()
  }
}
