import type { Session } from '../session.ts'

/** Returns a session of a quarter of an hour, for tests of the browser's part that run without a page. */
export const sampleSession = (login = 'a'): Session => ({
  customer: { id: login, login, email: `${login}@b.example`, firstName: 'A', surname: 'B', locale: 'pl' },
  now: '2026-11-24T09:42:00.000Z',
  endsAt: '2026-11-24T09:57:00.000Z',
  absoluteEndsAt: '2026-11-24T17:00:00.000Z',
})
