import { expect, test } from 'vitest'
import type { Signature } from '../../contract/signatures.ts'
import { samplePageConfig } from '../../contract/testing/sample-page-config.ts'
import { configure } from '../app/config.ts'
import { mainActionOf } from '../signatures/signature-actions.tsx'
import { signatureNotice } from './signature-notice.tsx'

configure(samplePageConfig)
const now = '2026-11-24T10:00:00.000Z'
const endsSoon: Signature = {
  id: '0198c0de-0000-7000-8000-000000000000',
  product: 'app',
  name: 'Anna Nowak',
  organisation: null,
  identifier: { type: 'PNO', country: 'PL', value: '85010112349' },
  status: 'active',
  reason: null,
  validFrom: '2024-12-01T10:00:00.000Z',
  validTo: '2026-12-01T10:00:00.000Z',
  period: '2_year',
  agreement: 'ready',
  changes: ['suspend', 'revoke'],
  request: null,
  canPair: false,
  pairedAt: null,
  renewal: null,
  renewedFrom: null,
}

test.each([
  ['suspend', 'Suspension requested'],
  ['revoke', 'Revocation requested'],
] as const)(
  'HOM-3 STP-8 what ends soon is to be renewed, unless there is a request to %s it: then nothing is left to do',
  (change, text) => {
    expect(signatureNotice(endsSoon, 'en', now)).toMatchObject({
      badge: { kind: 'warning-strong' },
      step: { renew: endsSoon.id },
    })
    const request = { change, deadline: '2026-11-25T10:00:00.000Z' }
    const notice = signatureNotice({ ...endsSoon, changes: [], request }, 'en', now)
    expect(notice).toMatchObject({ isUnderWay: true, badge: { text } })
    expect(notice.step).not.toHaveProperty('renew')
  },
)

test('ERR-5 REN-1 a renewal that was begun is finished here, or by a call while renewals are off', () => {
  const begun: Signature = { ...endsSoon, renewal: 'begun' }
  const offered = () => [signatureNotice(begun, 'en', now).step, mainActionOf(begun, { renewable: true }, false)]
  expect(offered()).toMatchObject([{ renew: endsSoon.id }, 'renew'])
  configure({ ...samplePageConfig, off: ['renewal'] })
  try {
    expect(offered()).toEqual([{ call: true }, undefined])
  } finally {
    configure(samplePageConfig)
  }
})
