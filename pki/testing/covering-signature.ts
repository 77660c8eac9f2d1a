import { embedSignature, prepareSignature, type PreparedPdf } from '../pades/pades-sign.ts'
import { bytesOf, latin1 } from '../bytes.ts'
import { contract, fileOf, signatureOver, signedAt } from './pades-authorities.ts'

const content = '1 g 0 0 200 30 re f 0 g BT /F1 24 Tf 2 6 Td (Umowa na 1 zl) Tj ET'
const number = contract.length + 1

/** The contract for 100 zl, with an unused form XObject in its resources that says 1 zl. */
export const coverableContract = () =>
  fileOf([
    ...contract.map((object, index) =>
      index === 2 ? String(object).replace('/Resources<<', `/Resources<</XObject<</Cover ${number} 0 R>>`) : object,
    ),
    [
      `<</Type/XObject/Subtype/Form/BBox[0 0 200 30]/Resources<</Font<</F1 5 0 R>>>>/Length ${content.length}>>`,
      content,
    ],
  ])

/** Such an unencrypted contract, prepared for a signature that shows that form over the price. */
export function preparedOverThePrice(plain: Uint8Array, name = 'Podpis'): PreparedPdf {
  const field = { field: name, signer: 'Anna Nowak', reason: 'Zgadzam się', at: signedAt }
  const { bytes, gap } = prepareSignature(plain, field)
  const text = latin1(bytes)
  const form = /\/Cover (\d+ 0 R)/.exec(text)![1]!
  // An earlier signature keeps its look.
  const added = text
    .slice(plain.length)
    .replace('/F 132 /Rect [0 0 0 0]', '/Rect[70 712 270 742] ')
    .replace(/\/AP <<\/N \d+ 0 R>>/, (found) => `/AP<</N ${form}>>`.padEnd(found.length))
  return { bytes: bytesOf(text.slice(0, plain.length) + added), gap }
}

/** Signed by Anna with a valid signature. */
export function signedOverThePrice(plain: Uint8Array) {
  const prepared = preparedOverThePrice(plain)
  return embedSignature(prepared, signatureOver(prepared))
}
