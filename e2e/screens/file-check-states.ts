import { listTrustedAuthorities, readRevocationData } from '../../contract/file-check.ts'
import { base64Of } from '../../pki/bytes.ts'
import { embedSignature } from '../../pki/pades/pades-sign.ts'
import { appendValidationData } from '../../pki/pades/pades-validation-data.ts'
import {
  holder,
  issuing,
  ocspAnswer,
  personRights,
  root,
  seal,
  signPdf,
  signatureOver,
  signedAt,
  stampDocument,
  anna,
  revocationList,
  stamper,
} from '../../pki/testing/pades-authorities.ts'
import { coverableContract, preparedOverThePrice } from '../../pki/testing/visible-signature.ts'
import { reply, stall } from '../testing/fake-replies.ts'
import { accessCode, agreement, lockedAgreement } from '../testing/samples/documents.ts'
import { statesOf, type Step, fill, press, waitFor } from './screen-state.ts'

/** An authority that a portal may trust, and what it answers about its certificates. */
const authorities = [{ certificate: base64Of(root.certificate), purposes: null, from: null, to: null }]
const later = new Date(signedAt.getTime() + 60_000)
const trusted = reply(listTrustedAuthorities, { authorities, intermediates: [] }, later)
const withdrawn = reply(
  listTrustedAuthorities,
  { authorities: authorities.map((each) => ({ ...each, to: signedAt.toISOString() })), intermediates: [] },
  later,
)
const untrusted = reply(listTrustedAuthorities, { authorities: [], intermediates: [] }, later)
const company = holder(
  {
    name: [
      { name: 'C', value: 'PL' },
      { name: 'O', value: 'Kancelaria Źródło sp. z o.o.' },
      { name: 'organizationIdentifier', value: 'VATPL-1234563218' },
      { name: 'CN', value: 'Kancelaria Źródło' },
    ],
    extensions: personRights().slice(0, 1),
  },
  issuing,
)
const ofSigners = [anna, seal, company]
const answeredOf = (some: readonly (typeof anna)[]) =>
  reply(readRevocationData, {
    ocsps: some.map((about) => base64Of(ocspAnswer(about))),
    crls: [base64Of(revocationList())],
  })
const answered = answeredOf([...ofSigners, stamper])
const unanswered = reply(readRevocationData, { ocsps: [], crls: [] })

const choose =
  (pdf: () => Promise<Uint8Array> | Uint8Array, name = 'umowa-najmu.pdf'): Step =>
  async ({ page }) => {
    const buffer = Buffer.from(await pdf())
    // It does nothing before the page is hydrated.
    await page.locator('.check-screen input[type=file]:enabled').waitFor({ state: 'attached' })
    await page.locator('.check-screen input[type=file]').setInputFiles({ name, mimeType: 'application/pdf', buffer })
  }

const signed = async () => signPdf(await agreement(), { timestamp: true })
/** Returns a signed file whose evidence is from before the signature. */
const evidenceBeforeSignature = async () =>
  appendValidationData(await signed(), {
    certificates: [],
    ocsps: [ocspAnswer(anna, { at: new Date(signedAt.getTime() - 1_800_000) }), ocspAnswer(stamper)],
    crls: [revocationList()],
  })
const twice = async () =>
  signPdf(stampDocument(await signed()), {
    by: company,
    field: 'Pieczęć',
    signer: 'Kancelaria Źródło',
    reason: 'Zgoda',
  })
/** Returns a file whose second signature shows another price over that of the first. */
function secondSignatureCoversPrice() {
  const prepared = preparedOverThePrice(signPdf(coverableContract()), 'Podpis 2')
  return embedSignature(prepared, signatureOver(prepared, { by: company }))
}
/** Returns a signed file with a change in the comment of its second line, which is not content, but is signed. */
const changedComment = async () => (await signed()).map((byte, at) => (at === 11 ? byte ^ 1 : byte))
const report = '.file-report'

export const states = statesOf('check')({
  choose: {},
  'not-a-pdf': { before: trusted, steps: choose(() => Buffer.from('PK'), 'umowa.docx'), shows: '.drop__error .icon' },
  unsigned: { before: trusted, steps: choose(agreement), shows: '.file-report' },
  checking: { before: [trusted, stall(readRevocationData)], steps: choose(signed), shows: '.check-screen progress' },
  password: { before: trusted, steps: choose(lockedAgreement), shows: '.check-screen input[type=password]' },
  'wrong-password': {
    before: trusted,
    steps: [
      choose(lockedAgreement),
      fill('.check-screen input[type=password]', accessCode.toLowerCase()),
      press(/^(?:Otwórz|Open)/),
    ],
    shows: '.check-screen .error .icon',
  },
  valid: { before: [trusted, answered], steps: choose(signed), shows: report },
  'timestamp-unanswered': { before: [trusted, answeredOf(ofSigners)], steps: choose(signed), shows: report },
  expert: {
    before: [trusted, answered],
    steps: [choose(signed), waitFor(report), ({ page }) => page.locator('.file-report summary').click()],
    shows: '.file-report details[open]',
  },
  several: { before: [trusted, answered], steps: choose(twice), shows: report },
  revisions: {
    before: [trusted, answered],
    steps: [choose(twice), waitFor(report), ({ page }) => page.locator('.file-report__later button').first().click()],
    shows: '.revisions__one:nth-child(2) canvas[role=img]',
  },
  covered: { before: [trusted, answered], steps: choose(secondSignatureCoversPrice), shows: report },
  changed: { before: [trusted, answered], steps: choose(changedComment), shows: report },
  early: { before: [trusted, unanswered], steps: choose(evidenceBeforeSignature), shows: report },
  withdrawn: { before: withdrawn, steps: choose(signed), shows: report },
  untrusted: { before: untrusted, steps: choose(signed), shows: report },
  unanswered: { before: [trusted, unanswered], steps: choose(async () => signPdf(await agreement())), shows: report },
  // The page is built again inside the menu, and a file that is chosen in that moment is not taken.
  'signed-in': {
    customer: 'oliver',
    before: [trusted, answered],
    steps: [waitFor('.app h1'), choose(twice)],
    shows: report,
  },
})
