import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Session } from '../../contract/account.ts'
import { samplePageConfig } from '../../contract/testing/sample-page-config.ts'
import { configure } from '../config.ts'
import { memoryCaches } from './testing/memory-caches.ts'

const origin = 'https://portal.example'

beforeAll(() => {
  configure(samplePageConfig)
  vi.stubGlobal('caches', memoryCaches(origin))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const sessionOf = (login: string): Session => ({
  customer: { id: login, login, email: `${login}@mail.example`, firstName: 'A', surname: 'B', locale: 'pl' },
  now: '2026-11-24T09:42:00.000Z',
  endsAt: '2026-11-24T09:57:00.000Z',
  absoluteEndsAt: '2026-11-24T17:00:00.000Z',
})

test('R160 when another customer signs in in another tab, or has signed in unnoticed, nothing of the first is kept, and the page is hidden and loaded again', async () => {
  const { keepReply, keptReply } = await import('./kept-replies.ts')
  const { currentSession, dropSession, followTabs, loadSession, setSession } = await import('../session.tsx')
  onTestFinished(() => dropSession('signed-out'))
  const other = new BroadcastChannel('session')
  onTestFinished(() => other.close())
  onTestFinished(followTabs({}))
  for (const meet of [
    () => other.postMessage({ session: sessionOf('bruno') }),
    () => {
      vi.stubGlobal('fetch', () => Promise.resolve(Response.json(sessionOf('bruno'))))
      void loadSession()
    },
  ]) {
    const body = { hidden: false }
    const reloaded = new Promise<void>((reload) => vi.stubGlobal('location', { reload }))
    vi.stubGlobal('document', { body })
    setSession(sessionOf('anna'))
    keepReply('/api/signatures', { reply: 'of Anna', at: Date.now() })
    await vi.runAllTimersAsync()
    expect((await keptReply('/api/signatures'))?.reply).toBe('of Anna')
    meet()
    await reloaded
    expect([body.hidden, currentSession()]).toEqual([true, undefined])
    // What is still on the page is nobody's.
    keepReply('/api/signatures', { reply: 'of Anna, late', at: Date.now() })
    await vi.runAllTimersAsync()
    setSession(sessionOf('anna'))
    expect((await keptReply('/api/signatures'))?.reply).not.toBe('of Anna, late')
  }
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
