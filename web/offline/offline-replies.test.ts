import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { samplePageConfig } from '../../contract/testing/sample-page-config.ts'
import { sampleSession } from '../../contract/testing/sample-session.ts'
import { configure } from '../app/config.ts'
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

test('R160 when another customer signs in in another tab, or has signed in unnoticed, nothing of the first is kept, and the page is hidden and loaded again', async () => {
  const { keepReply, readKeptReply: keptReply } = await import('./offline-replies.ts')
  const { currentSession, dropSession, followTabs, loadSession, setSession } = await import('../app/session.tsx')
  onTestFinished(() => dropSession('signed-out'))
  const other = new BroadcastChannel('session')
  onTestFinished(() => other.close())
  onTestFinished(followTabs({}))
  for (const meet of [
    () => other.postMessage({ session: sampleSession('bruno') }),
    () => {
      vi.stubGlobal('fetch', () => Promise.resolve(Response.json(sampleSession('bruno'))))
      void loadSession()
    },
  ]) {
    const body = { hidden: false }
    const reloaded = new Promise<void>((reload) => vi.stubGlobal('location', { reload }))
    vi.stubGlobal('document', { body })
    setSession(sampleSession('anna'))
    keepReply('/api/signatures', { reply: 'of Anna', at: Date.now() })
    await vi.runAllTimersAsync()
    expect((await keptReply('/api/signatures'))?.reply).toBe('of Anna')
    meet()
    await reloaded
    expect([body.hidden, currentSession()]).toEqual([true, undefined])
    // What is still on the page is nobody's.
    keepReply('/api/signatures', { reply: 'of Anna, late', at: Date.now() })
    await vi.runAllTimersAsync()
    setSession(sampleSession('anna'))
    expect((await keptReply('/api/signatures'))?.reply).not.toBe('of Anna, late')
  }
})

test('R160 a reply that arrives when its session has ended is not kept for the customer who signs in next', async () => {
  const { keepReply, readKeptReply: keptReply } = await import('./offline-replies.ts')
  const { dropSession, setSession } = await import('../app/session.tsx')
  const reply = (text: string) => ({ reply: text, at: Date.now() })
  setSession(sampleSession('anna'))
  keepReply('/api/signatures', reply('of Anna, in time'))
  dropSession('session-ended')
  keepReply('/api/documents', reply('of Anna, late'))
  setSession(sampleSession('bruno'))
  keepReply('/api/seals', reply('of Bruno'))
  await vi.runAllTimersAsync()
  expect((await keptReply('/api/seals'))?.reply).toBe('of Bruno')
  expect(await keptReply('/api/signatures')).toBeUndefined()
  expect(await keptReply('/api/documents')).toBeUndefined()
})
