import { listFileSigners, type FileSigner } from '../../contract/file-signing.ts'
import { refuse, reply } from '../../e2e/testing/fake-replies.ts'
import { agreement, lockedAgreement } from '../../e2e/testing/samples/agreement.ts'
import { anna, issuing } from '../../pki/testing/pades-authorities.ts'
import { statesOf, type Step } from './screen-state.ts'
import { retryButton, see } from './steps.ts'

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const signer = (changes: Partial<FileSigner>): FileSigner => ({
  id: '0b9f3a52-5b1e-4a77-9a51-6d6c3f0b1a01',
  kind: 'signature',
  name: 'Małgorzata Wiśniewska',
  organisation: null,
  serialNumber: '4001',
  validTo: '2028-03-03T12:00:00.000Z',
  certificate: base64(anna.certificate),
  chain: [base64(issuing.certificate)],
  algorithm: { scheme: 'ecdsa', digest: 'sha256' },
  mostFiles: 20,
  requirement: null,
  asksElsewhere: false,
  ...changes,
})
const seal = signer({
  id: '0b9f3a52-5b1e-4a77-9a51-6d6c3f0b1a02',
  kind: 'seal',
  name: 'Kancelaria Źródło – pieczęć',
  organisation: 'Kancelaria Źródło sp. z o.o.',
  mostFiles: 1,
  requirement: { kind: 'codes', otp: 'none', pin: true },
})
const signers = reply(listFileSigners, { signers: [signer({}), seal], maskedPhone: '+48 ••• ••• 417' })
const nobody = reply(listFileSigners, { signers: [], maskedPhone: '+48 ••• ••• 417' })

const choose =
  (...files: { name: string; pdf: () => Promise<Uint8Array> | Uint8Array }[]): Step =>
  async ({ page }) => {
    // It does nothing before the page is hydrated.
    await page.locator('.drop input[type=file]:enabled').waitFor({ state: 'attached' })
    const chosen = files.map(async ({ name, pdf }) => ({
      name,
      mimeType: 'application/pdf',
      buffer: Buffer.from(await pdf()),
    }))
    await page.locator('.drop input[type=file]').setInputFiles(await Promise.all(chosen))
  }
const two = choose({ name: 'umowa-najmu.pdf', pdf: agreement }, { name: 'umowa.docx', pdf: () => Buffer.from('PK') })

export const states = statesOf('sign', { customer: 'malgorzata' })({
  choose: {},
  files: { before: signers, steps: [two, see('.signfiles .error')], shows: '.signfiles .btn' },
  visible: {
    before: signers,
    steps: [two, see('.signfiles .error'), ({ page }) => page.locator('input[value=visible]').check({ force: true })],
    shows: 'input[value=visible]:checked',
  },
  password: {
    before: signers,
    steps: choose({ name: 'umowa-najmu.pdf', pdf: lockedAgreement }),
    shows: 'input[type=password]',
  },
  'no-certificate': { before: nobody, steps: two, shows: '.signfiles .error' },
  unavailable: { before: refuse(listFileSigners, 'unavailable'), steps: two, shows: retryButton },
})
