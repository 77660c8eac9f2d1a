import { expect, test } from 'vitest'
import type { RenewalState } from '../../contract/renewal.ts'
import { ranks } from './home-notice.ts'
import { renewalNotice } from './renewal-notice.tsx'

const now = '2026-11-24T10:00:00.000Z'
const open = {
  uid: '0198c0de-0000-7000-8000-000000000000',
  signature: '0198c0de-0000-7000-8000-000000000001',
  issued: null,
  name: 'Anna Nowak',
  certificateValidTo: '2026-12-20T10:00:00.000Z',
  endsAt: '2026-12-20T10:00:00.000Z',
}
const noticeOf = (over: Partial<typeof open> & { state: RenewalState }) =>
  renewalNotice({ ...open, validFrom: null, ...over }, 'en', now)
const isUnderWay = (state: RenewalState, validFrom: string | null = null) =>
  renewalNotice({ ...open, state, validFrom }, 'en', now).isUnderWay

test('HOM-3 a renewal that needs the customer is counted; one that is being issued or has not begun is not', () => {
  expect(isUnderWay('signing')).toBe(false)
  expect(isUnderWay('issued', '2026-11-24T09:00:00.000Z')).toBe(false)
  expect(isUnderWay('issued', '2026-11-27T09:00:00.000Z')).toBe(true)
  expect(isUnderWay('signed')).toBe(true)
})

test('HOM-3 a renewal whose agreement waits for the signature leads to reading and signing it', () => {
  const labelOf = (state: RenewalState) => {
    const { step } = noticeOf({ state })
    return 'label' in step && step.label.en
  }
  expect(labelOf('signing')).toBe('Read and sign')
  expect(labelOf('parameters')).toBe('Finish renewal')
})

test('HOM-3 the deadline of an unfinished renewal is that of its answers, and its urgency that of the certificate', () => {
  const soon = noticeOf({
    state: 'signing',
    certificateValidTo: '2026-12-01T10:00:00.000Z',
    endsAt: '2026-11-30T10:00:00.000Z',
  })
  expect([soon.rank, soon.end, soon.badge.kind]).toEqual([ranks.endsNow, '2026-11-30T10:00:00.000Z', 'warning-strong'])
  const later = noticeOf({ state: 'parameters', endsAt: '2026-11-30T10:00:00.000Z' })
  expect([later.rank, later.end, later.badge.kind]).toEqual([ranks.endsSoon, '2026-11-30T10:00:00.000Z', 'warning'])
  expect(noticeOf({ state: 'signed' }).rank).toBe(ranks.underWay)
})
