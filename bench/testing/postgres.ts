import { startTestPostgres } from '../../server/testing/test-database.ts'

/** The PostgreSQL of the tests, with its migrated template, for as long as `work` takes. */
export async function withTestPostgres<T>(work: (url: string) => Promise<T>): Promise<T> {
  const { url, stop } = await startTestPostgres()
  try {
    return await work(url)
  } finally {
    await stop()
  }
}
