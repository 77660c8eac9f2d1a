import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Session } from '../../contract/account.ts'
import { memoryCaches } from './testing/memory-caches.ts'

const origin = 'https://portal.example'

beforeAll(() => {
  vi.stubGlobal('caches', memoryCaches(origin))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const sessionOf = (login: string): Session => ({
  customer: { login, email: `${login}@mail.example`, firstName: 'A', surname: 'B', locale: 'pl' },
  now: '2026-11-24T09:42:00.000Z',
  endsAt: '2026-11-24T09:57:00.000Z',
  absoluteEndsAt: '2026-11-24T17:00:00.000Z',
})

test('R160 a reply that arrives when its session has ended is not kept for the customer who signs in next', async () => {
  const { keepReply, keptReply } = await import('./kept-replies.ts')
  const { dropSession, setSession } = await import('../session.tsx')
  const reply = (text: string) => ({ reply: text, at: Date.now() })
  setSession(sessionOf('anna'))
  keepReply('/api/signatures', reply('of Anna, in time'))
  dropSession('session-ended')
  keepReply('/api/documents', reply('of Anna, late'))
  setSession(sessionOf('bruno'))
  keepReply('/api/seals', reply('of Bruno'))
  await vi.runAllTimersAsync()
  expect((await keptReply('/api/seals'))?.reply).toBe('of Bruno')
  expect(await keptReply('/api/signatures')).toBeUndefined()
  expect(await keptReply('/api/documents')).toBeUndefined()
})
