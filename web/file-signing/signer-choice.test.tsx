import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { UnusableSigner } from '../../contract/file-signing.ts'
import { LocaleProvider } from '../app/locale.tsx'
import { hasNewer } from '../service-authorisation/newer-certificate.ts'
import { UnusableSigners } from './signer-choice.tsx'

const signer: Omit<UnusableSigner, 'reason'> = {
  id: '0b9f3a52-5b1e-4a77-9a51-6d6c3f0b1a03',
  kind: 'signature',
  name: 'Anna Nowak',
  organisation: 'Kancelaria Źródło sp. z o.o.',
  validTo: '2027-05-11T12:00:00.000Z',
}

test.each([
  ['no-key', 'It can’t sign here'],
  ['stopping', 'Its suspension or revocation has been requested'],
] as const)('SGN-23 STP-8 a certificate that cannot be chosen is named with the reason: %s', (reason, text) => {
  const shown = renderToStaticMarkup(
    <LocaleProvider locale="en">
      <UnusableSigners unusable={[{ ...signer, reason }]} />
    </LocaleProvider>,
  )
  expect(shown).toContain('Anna Nowak, Kancelaria Źródło sp. z o.o.')
  expect(shown).toContain(text)
})

test('SGN-23 of certificates with the newest first, each but the first of an owner has a newer one', () => {
  const owned = (id: string, over: object = {}) => ({ ...signer, id, ...over })
  const all = [owned('a'), owned('b'), owned('c', { organisation: null }), owned('d', { kind: 'seal' }), owned('e')]
  expect(all.map((each) => hasNewer(all, each))).toEqual([false, true, false, false, true])
})
