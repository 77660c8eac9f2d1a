import { beforeEach, expect, test, vi } from 'vitest'
import type { FileSigner } from '../../contract/file-signing.ts'
import { sampleSession } from '../../contract/testing/sample-session.ts'
import { setSession } from '../app/session.tsx'
import type { Outcome } from './completed-files.ts'
import type { MissingEvidence } from './signed-file.ts'
import { dropSigned, keepSigned, noteSaved, replaceSigned } from './signed-files-store.ts'

/** Events of the browser window: whether the browser asks before it closes the tab shows whether something is kept. */
const page = new EventTarget()
vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
const asksBeforeUnload = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }))

const signIn = (login: string) => setSession(sampleSession(login))

const file = {
  file: new Blob(),
  sha256: '',
  tail: new Uint8Array(),
  name: 'a.pdf',
  password: '',
  chains: { newest: [], earlier: [] },
  lacks: 'answers' as MissingEvidence,
}
const signer: FileSigner = {
  id: '',
  kind: 'signature',
  name: 'A B',
  organisation: null,
  serialNumber: '1',
  validTo: '2028-03-03T12:00:00.000Z',
  certificate: '',
  chain: [],
  algorithm: { scheme: 'ecdsa', digest: 'sha256' },
  mostFiles: 1,
  requirement: null,
  asksElsewhere: false,
}
const outcomeOf = (id: string, lacks: MissingEvidence = 'answers'): Outcome => ({
  id,
  signer,
  signed: [{ ...file, lacks }],
  unfinished: [],
})

beforeEach(() => {
  dropSigned()
  signIn('anna')
})

test('SGN-27 files that are completed after another customer has signed in are not kept, and those of that customer stay', () => {
  signIn('oliver')
  keepSigned('anna', outcomeOf('1'))
  expect(asksBeforeUnload()).toBe(false)
  keepSigned('oliver', outcomeOf('2'))
  keepSigned('anna', outcomeOf('1'))
  expect(asksBeforeUnload()).toBe(true)
  noteSaved([0])
  replaceSigned(outcomeOf('2', 'nothing'))
  expect(asksBeforeUnload()).toBe(true)
})

test('SGN-27 another attempt replaces only the files that are still there, and what it completed is unsaved again', () => {
  keepSigned('anna', outcomeOf('1'))
  noteSaved([0])
  expect(asksBeforeUnload()).toBe(false)
  replaceSigned(outcomeOf('1'))
  expect(asksBeforeUnload()).toBe(false)
  replaceSigned(outcomeOf('1', 'nothing'))
  expect(asksBeforeUnload()).toBe(true)
  dropSigned()
  replaceSigned(outcomeOf('1', 'nothing'))
  expect(asksBeforeUnload()).toBe(false)
})
