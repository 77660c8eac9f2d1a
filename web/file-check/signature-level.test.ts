import { expect, test } from 'vitest'
import type { ReportedSignature } from './file-report.ts'
import { isWhollyQualified, levelText, unqualifiedOf, unqualifiedTitle } from './signature-level.ts'

type LevelOf = Parameters<typeof levelText>[0][number]
const signer = (qualified: object) => ({ subject: [], qualified }) as unknown as ReportedSignature['signer']
const level = { compliance: true, device: true, types: ['esign'] }
const personal: LevelOf = { kind: 'signature', trusted: true, doubts: [], signer: signer(level) }
const seal: LevelOf = { ...personal, signer: signer({ ...level, types: ['eseal'] }) }
const plain: LevelOf = { ...personal, signer: signer({ ...level, compliance: false }) }
const withoutDevice: LevelOf = { ...personal, signer: signer({ ...level, device: false }) }
const timestamp: LevelOf = { kind: 'document-timestamp', trusted: true, doubts: [], signer: undefined }
const untyped: LevelOf = { ...personal, signer: signer({ ...level, types: [] }) }

const noHandwriting = 'This signature doesn’t automatically have the legal effect of a handwritten one.'
const notQualified = 'The signature is valid, but not qualified'
const notConfirmed = 'The signature is valid, but not confirmed as qualified'
const otherRules =
  'The trusted list has rules of its own for some certificates of this issuer, and we don’t check them.'
const qualified = 'It’s a qualified signature, which has the legal effect of a handwritten one.'

test.each<[what: string, signatures: LevelOf[], worth: string | undefined, title?: string]>([
  ['a qualified signature', [personal, timestamp], qualified],
  ['a device that the list may deny', [{ ...personal, doubts: ['device'] }], otherRules, notConfirmed],
  ['no device, which the list may deny', [{ ...withoutDevice, doubts: ['device'] }], noHandwriting, notQualified],
  ['no type, where the list may name another', [{ ...untyped, doubts: ['signatures'] }], otherRules, notConfirmed],
  ['no type, where the list may name signatures', [{ ...untyped, doubts: ['seals'] }], qualified],
  ['a type of its own', [{ ...personal, doubts: ['signatures', 'seals'] }], qualified],
  ['a plain certificate under a list with rules', [{ ...plain, doubts: ['device'] }], noHandwriting, notQualified],
  [
    'a seal whose device the list may deny',
    [{ ...seal, doubts: ['device'] }],
    otherRules,
    'The seal is valid, but not confirmed as qualified',
  ],
  [
    'one of two that is not confirmed',
    [personal, { ...personal, doubts: ['device'] }],
    undefined,
    'Everything is valid, but not everything is confirmed as qualified',
  ],
  [
    'one that is not confirmed, and one that is not qualified',
    [plain, { ...personal, doubts: ['device'] }],
    undefined,
    'Everything is valid, but not everything is confirmed as qualified',
  ],
  ['a qualified seal', [seal], 'It’s a qualified seal: it shows where the document comes from, and that it’s intact.'],
  ['another certificate', [plain, timestamp], noHandwriting, notQualified],
  ['no qualified device', [withoutDevice], noHandwriting, notQualified],
  ['an issuer that is not trusted', [{ ...personal, trusted: false }], noHandwriting, notQualified],
  [
    'a seal that is not qualified',
    [{ ...seal, trusted: false }],
    'The law doesn’t presume that the document comes from this organisation and is intact.',
    'The seal is valid, but not qualified',
  ],
  ['two qualified ones', [personal, seal], 'All of them are qualified.'],
  ['one of two', [personal, plain], undefined, 'Everything is valid, but not everything is qualified'],
  ['neither of two', [withoutDevice, plain], undefined, 'Everything is valid, but not qualified'],
  ['a timestamp alone', [timestamp], undefined],
])('CHK-4 the verdict says what signatures are worth: %s', (_, signatures, worth, title) => {
  expect([levelText(signatures)?.en, unqualifiedTitle(signatures)?.en]).toEqual([worth, title])
})

test('CHK-4 of several, those that are not qualified are named; a file is wholly qualified only if each signature is', () => {
  expect(unqualifiedOf([personal, plain, timestamp, withoutDevice])).toEqual([plain, withoutDevice])
  expect(unqualifiedOf([plain, timestamp])).toEqual([])
  expect([[personal, seal, timestamp], [personal, plain], [timestamp]].map(isWhollyQualified)).toEqual([
    true,
    false,
    false,
  ])
})
