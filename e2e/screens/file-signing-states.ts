import { listTrustedAuthorities, readRevocationData } from '../../contract/file-check.ts'
import {
  confirmFileSigning,
  listFileSigners,
  readFileSigning,
  signFiles,
  startFileSigning,
  type FileSigner,
  type FileSigning,
  type UnusableSigner,
} from '../../contract/file-signing.ts'
import { signBytes } from '../../pki/asn1/certificate-write.ts'
import { signedAttributes } from '../../pki/asn1/cms.ts'
import { sha256 } from '../../pki/asn1/signature-algorithm.ts'
import {
  anna,
  issuing,
  ocspAnswer,
  revocationList,
  root,
  stamper,
  tokenOver,
} from '../../pki/testing/pades-authorities.ts'
import { codeSent, inSeconds, intercept, refuse, reply } from '../testing/fake-replies.ts'
import { agreement, lockedAgreement } from '../testing/samples/documents.ts'
import {
  statesOf,
  type Step,
  click,
  codeField,
  confirmButton,
  fill,
  press,
  retryButton,
  waitFor,
} from './screen-state.ts'

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
const maskedPhone = '+48 ••• ••• 417'
const unusable: UnusableSigner[] = [
  {
    id: '0b9f3a52-5b1e-4a77-9a51-6d6c3f0b1a03',
    kind: 'signature',
    name: 'Małgorzata Wiśniewska',
    organisation: 'Kancelaria Źródło sp. z o.o.',
    validTo: '2027-05-11T12:00:00.000Z',
    reason: 'no-key',
  },
  {
    id: '0b9f3a52-5b1e-4a77-9a51-6d6c3f0b1a04',
    kind: 'signature',
    name: 'Małgorzata Wiśniewska',
    organisation: null,
    validTo: '2028-03-03T12:00:00.000Z',
    reason: 'stopping',
  },
]
const signers = reply(listFileSigners, { signers: [signer({}), seal], unusable, maskedPhone })
const nobody = reply(listFileSigners, { signers: [], unusable: [], maskedPhone })
const noneUsable = reply(listFileSigners, { signers: [], unusable, maskedPhone })

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
const both = choose(
  { name: 'umowa-najmu.pdf', pdf: agreement },
  { name: 'protokol-odbioru.pdf', pdf: async () => Buffer.concat([await agreement(), Buffer.from('\n')]) },
)

const id = '0b9f3a52-5b1e-4a77-9a51-6d6c3f0b1a03'
type Signed = { signature: string; timestamp: string }

/** Fakes everything that the portal replies until the files are signed; `change` changes what it signed. */
function signing({
  requirement = null,
  change = (signed: Signed[]) => signed,
}: { requirement?: FileSigner['requirement']; change?: (signed: Signed[]) => Signed[] } = {}): Step[] {
  let digests: string[] = []
  const state = (changes: Partial<FileSigning>): FileSigning => ({
    id,
    reference: '3b1f09c27d5e'.padEnd(64, '0'),
    state: 'confirmed',
    authorisation: null,
    signatures: null,
    ...changes,
  })
  const authorisation = requirement && {
    ...requirement,
    id,
    sentAt: null,
    resendAt: inSeconds(0),
    sendsLeft: 2,
    expiresAt: inSeconds(600),
  }
  const confirmed = state({ authorisation })
  const signedBy = (digest: string) => {
    const attributes = signedAttributes({ digest: Buffer.from(digest, 'base64'), certificate: anna.certificate })
    const signature = signBytes(anna.privateKey, attributes)
    return { signature: base64(signature), timestamp: base64(tokenOver(sha256(signature))) }
  }
  const authorities = [{ certificate: base64(root.certificate), purposes: null, from: null, to: null }]
  return [
    reply(listFileSigners, { signers: [signer({ requirement })], unusable: [], maskedPhone }),
    intercept(startFileSigning, (route) => {
      ;({ digests } = route.request().postDataJSON() as { digests: string[] })
      return route.fulfill({ json: { signing: state({ state: 'started' }), code: codeSent() } })
    }),
    reply(confirmFileSigning, confirmed),
    reply(readFileSigning, confirmed),
    reply(signFiles, () => state({ state: 'signed', signatures: change(digests.map(signedBy)) })),
    reply(listTrustedAuthorities, { authorities, intermediates: [] }),
    reply(readRevocationData, {
      ocsps: [anna, stamper].map((about) => base64(ocspAnswer(about))),
      crls: [base64(revocationList())],
    }),
  ]
}

const sendCode = [
  waitFor('.sign-form button[type=submit]:not([aria-disabled])'),
  click('.sign-form button[type=submit]'),
]
const signBoth: Step[] = [both, ...sendCode, waitFor(codeField), fill(codeField, '123456'), click(confirmButton)]
const byPage = signing({ requirement: { kind: 'redirect', otp: 'none', pin: false } })
const servicePage = 'dialog[open] a.button--primary'
const result = '.sign-done'
const cancel = click('dialog[open] .dialog__foot .button--quiet')

export const states = statesOf('sign', { customer: 'malgorzata' })({
  choose: {},
  files: { before: signers, steps: [two, waitFor('.sign-files .error')], shows: '.sign-files .button' },
  visible: {
    before: signers,
    steps: [
      two,
      waitFor('.sign-files .error'),
      ({ page }) => page.locator('input[value=visible]').check({ force: true }),
    ],
    shows: 'input[value=visible]:checked, .sign-read canvas:not([hidden])',
  },
  several: { before: signers, steps: both, shows: '.sign-form button[type=submit]:not([aria-disabled=true])' },
  'visible-on-page': {
    before: signers,
    only: 'desktop',
    steps: [
      both,
      waitFor('.sign-form button[type=submit]:not([aria-disabled])'),
      ({ page }) => page.locator('input[value=visible]').check({ force: true }),
    ],
    shows: '.sign-spot:has(:checked)',
  },
  password: {
    before: signers,
    steps: choose({ name: 'umowa-najmu.pdf', pdf: lockedAgreement }),
    shows: 'input[type=password]',
  },
  'no-certificate': { before: nobody, steps: two, shows: '.sign-files .error' },
  'unsupported-key': { before: noneUsable, steps: two, shows: '.sign-none' },
  unavailable: { before: refuse(listFileSigners, 'unavailable'), steps: two, shows: retryButton },
  code: { before: signing(), steps: [both, ...sendCode], shows: codeField },
  'code-expired': {
    before: [...signing(), refuse(confirmFileSigning, 'code-expired')],
    steps: signBoth,
    shows: 'dialog .code-resend .notice--warning',
  },
  'service-page': { before: byPage, steps: signBoth, shows: servicePage },
  'service-page-closed': {
    before: byPage,
    steps: [...signBoth, waitFor(servicePage), cancel],
    shows: '.sign-form .notice',
  },
  over: {
    before: [...byPage, refuse(readFileSigning, 'signing-over')],
    steps: signBoth,
    shows: '.sign-form .notice--error',
  },
  failed: { before: [...signing(), refuse(signFiles, 'unavailable')], steps: signBoth, shows: 'dialog .notice--error' },
  signed: { before: signing(), steps: signBoth, shows: result },
  'signed-in-part': {
    before: signing({ change: ([first, ...rest]) => [{ ...first!, signature: first!.timestamp }, ...rest] }),
    steps: signBoth,
    shows: result,
  },
  unproven: {
    before: [...signing(), refuse(readRevocationData, 'unavailable')],
    steps: signBoth,
    shows: 'main .notice--warning:has-text("certyfikat"), main .notice--warning:has-text("certificate")',
  },
  leave: {
    before: signing(),
    steps: [...signBoth, waitFor(result), press(/^Podpisz następne|^Sign more/)],
    shows: 'dialog[role=alertdialog]',
  },
})
