import { expect, test } from 'vitest'
import { openPdf } from '../pdf/pdf-read.ts'
import {
  contractPdf,
  seal,
  signPdf,
  stampDocument,
  transform,
  type SigningOptions,
} from '../testing/pades-authorities.ts'
import { permitsSignature } from './pades-permissions.ts'
import { outcomeOf } from '../testing/signed-contract.ts'

/** Whether a file with a seal of these options says that it may be signed, and the outcome if it is. */
async function signedAfter(options: SigningOptions) {
  const issued = signPdf(contractPdf(), { by: seal, field: 'Pieczęć', ...options })
  return { isPermitted: permitsSignature(openPdf(issued)), ...(await outcomeOf(signPdf(issued), issued)) }
}
const refused = { isPermitted: false, verdict: 'refused', codes: ['changed-after-signing'] }
const accepted = { isPermitted: true, verdict: 'accepted', codes: [] }

test.each(['/P 1', '/P 0', '/P 4', '/P/None', '/P(2)'])(
  'R102 a signature after a certification with %s is refused',
  async (parameters) => {
    expect(await signedAfter(transform('DocMDP', parameters))).toMatchObject(refused)
  },
)

test.each([
  ['a certification with /P 2', transform('DocMDP', '/P 2')],
  ['a certification with /P 3', transform('DocMDP', '/P 3')],
  ['a certification without /P', transform('DocMDP', '')],
  ['all fields locked', transform('FieldMDP', '/Action/All')],
  ['one field locked', transform('FieldMDP', '/Action/Include/Fields[(Kwota)]')],
  ['all but one field locked', transform('FieldMDP', '/Action/Exclude/Fields[(Kwota)]')],
])('SGN-26 R102 a new field is signed in a file with %s', async (_, options) => {
  expect(await signedAfter(options)).toMatchObject(accepted)
})

test('R102 a certification with P=1 permits a document timestamp, and its own signature', async () => {
  const file = stampDocument(signPdf(contractPdf(), transform('DocMDP', '/P 1')))
  expect(await outcomeOf(file, contractPdf())).toMatchObject({ verdict: 'accepted', codes: [] })
})

test('R102 a signed field whose lock says P=1 permits no later signature', async () => {
  expect(await signedAfter({ replaced: ['/Type /Annot ', '/Lock<</P 1>>'] })).toMatchObject(refused)
})
