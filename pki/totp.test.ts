import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { has, run } from './testing/peer-programs.ts'
import { fromBase32, hotp, matchTotp, otpauthUri, toBase32, totp, totpStep } from './totp.ts'

const secret = Buffer.from('12345678901234567890')
const at = (seconds: number) => new Date(seconds * 1000)

test('SIG-3 codes agree with the RFC 4226 appendix D vectors', () => {
  const codes = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489']
  expect(codes.map((_, counter) => hotp(secret, counter))).toEqual(codes)
})

test.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('SIG-3 codes agree with the RFC 6238 appendix B vector of %i s', (seconds, code) => {
  expect(totp(secret, at(seconds), 8)).toBe(code)
  expect(totp(secret, at(seconds))).toBe(code.slice(2))
})

test.skipIf(!has('oathtool'))('SIG-3 oathtool (skipped where it is missing) makes the same codes', async () => {
  const random = Buffer.from('9b1c40e0aa0133b1c5b8a1d7f3e29c5577d0ab12', 'hex')
  for (const seconds of [0, 59, 1795254300]) {
    const now = at(seconds).toISOString().slice(0, 19).replace('T', ' ')
    const { output } = await run('oathtool', ['--totp', '--base32', `--now=${now} UTC`, toBase32(random)])
    expect(output.trim()).toBe(totp(random, at(seconds)))
  }
})

test('SIG-3 the manual key is base32 by the RFC 4648 §10 vectors', () => {
  const vectors = {
    '': '',
    f: 'MY',
    fo: 'MZXQ',
    foo: 'MZXW6',
    foob: 'MZXW6YQ',
    fooba: 'MZXW6YTB',
    foobar: 'MZXW6YTBOI',
  }
  for (const [text, base32] of Object.entries(vectors)) {
    expect(toBase32(Buffer.from(text))).toBe(base32)
    expect(fromBase32(base32)).toEqual(Uint8Array.from(Buffer.from(text)))
  }
  expect(fromBase32('mzxw6yq=')).toEqual(Uint8Array.from(Buffer.from('foob')))
})

test('SIG-3 base32 gives back every secret, and nothing for other text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      expect(fromBase32(toBase32(bytes))).toEqual(bytes)
    }),
  )
  const malformed = ['A', 'ABC', 'ABCDEF', 'AB CD', 'MZXW1', 'MZXW6YQ=A', 'ĄBCD']
  expect(malformed.filter((text) => fromBase32(text) !== undefined)).toEqual([])
})

test('SIG-3 a code counts in its own step and in the two next to it', () => {
  const code = totp(secret, at(59))
  expect([0, 29, 30, 59, 60, 89].map((seconds) => matchTotp(secret, code, at(seconds)))).toEqual([1, 1, 1, 1, 1, 1])
  expect(matchTotp(secret, code, at(90))).toBeUndefined()
})

test('SIG-3 a code counts only once, and none from before it', () => {
  const now = at(1795254300)
  const step = totpStep(now)
  expect(matchTotp(secret, totp(secret, now), now, step - 1)).toBe(step)
  expect(matchTotp(secret, totp(secret, now), now, step)).toBeUndefined()
  expect(matchTotp(secret, hotp(secret, step - 1), now, step)).toBeUndefined()
  expect(matchTotp(secret, hotp(secret, step + 1), now, step)).toBe(step + 1)
})

test('SIG-3 what is not six digits never matches', () => {
  const malformed = ['', '28708', '2870820', '94287082', '٢٨٧٠٨٢', ' 287082']
  expect(malformed.filter((code) => matchTotp(secret, code, at(59)) !== undefined)).toEqual([])
})

test('SIG-3 the link has the fields that authenticator apps read, in the agreed order', () => {
  const uri = otpauthUri({ issuer: 'Sygnet Demo & Co', account: 'Anna Nowak – podpis: 4F2A', secret })
  expect(uri).toBe(
    'otpauth://totp/Sygnet%20Demo%20%26%20Co:Anna%20Nowak%20%E2%80%93%20podpis%20%204F2A?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' +
      '&issuer=Sygnet%20Demo%20%26%20Co&algorithm=SHA1&digits=6&period=30',
  )
})
