import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bytesOf, latin1 } from '../../pki/bytes.ts'
import { validatePdf } from '../../pki/pades/pades-validate.ts'
import { appendValidationData } from '../../pki/pades/pades-validation-data.ts'
import { contract, contractPdf, fileOf, policyOf, seal, signPdf } from '../../pki/testing/pades-authorities.ts'
import { has, run, testFile } from '../../pki/testing/peer-programs.ts'
import { exhaustive } from '../../server/testing/breadth.ts'
import { embedSigned, inspectFile, prepareFile, UnsignableFile } from './signed-file.ts'
import { signedBy, signer } from './testing/portal-signatures.ts'

/** Signs a file again as the browser does, at a place of the page; undefined for a file that it refuses. */
function signedAgain(bytes: Uint8Array, page: 'first' | 'last') {
  try {
    inspectFile(bytes, '')
    const visible = {
      page,
      place: 'bottom-right',
      size: { width: 180, height: 60 },
      image: { width: 1, height: 1, data: Uint8Array.of(0x78, 0x9c, 0x63, 0, 0, 0, 1, 0, 1) },
      text: 'Anna Nowak',
    } as const
    const field = { signer: 'Anna Nowak', reason: '', at: new Date('2026-11-29'), visible }
    const prepared = prepareFile({ bytes, password: '' }, field, signer)
    return embedSigned(prepared, signer, signedBy(prepared.digest))
  } catch (error) {
    if (error instanceof UnsignableFile) return undefined
    throw error
  }
}

/** Returns the findings on each signature; nothing here trusts any of them. */
async function saidOf(file: Uint8Array) {
  const { signatures } = await validatePdf(file, policyOf({ anchors: [], signingCertificate: 'any', qualified: false }))
  return signatures.map(({ fields, intact, problems }) => ({
    field: fields.join(),
    intact,
    problems: problems.map(({ code }) => code),
  }))
}

const validByPdfsig = async (file: Uint8Array) =>
  (await run('pdfsig', ['-nocert', testFile(file)])).output.match(/Signature is Valid/g)?.length ?? 0

const samples = join(import.meta.dirname, '../../pki/samples')
const external = join(import.meta.dirname, '../../../shared/corpus/pades')
const files = [
  ...globSync(`${samples}/**/*.pdf`),
  // Of others (docs/guides/pades.md).
  ...(exhaustive ? globSync(`${external}/**/*.pdf`) : []),
].toSorted()

const ours = {
  field: expect.stringMatching(/^Sygnet \d$/),
  intact: true,
  problems: ['timestamp-invalid', 'path-untrusted'],
}
const added = (before: readonly { field: string }[], after: readonly { field: string }[]) =>
  after.filter(({ field }) => !before.some((each) => each.field === field))

test('SGN-26 two more signatures leave every earlier one as it is, also by pdfsig where it is installed', async () => {
  let signed = 0
  for (const path of files) {
    const file = new Uint8Array(readFileSync(path))
    const before = await saidOf(file)
    const once = before.length ? signedAgain(file, 'first') : undefined
    const twice = once && signedAgain(once, 'last')
    if (!twice) continue
    signed++
    const after = await saidOf(twice)
    expect({ path, after }).toEqual({ path, after: expect.arrayContaining(before) })
    expect({ path, added: added(before, after) }).toEqual({ path, added: [ours, ours] })
    if (has('pdfsig'))
      expect({ path, valid: await validByPdfsig(twice) }).toEqual({ path, valid: (await validByPdfsig(file)) + 2 })
  }
  expect(signed).toBeGreaterThan(20)
})

/** Entries of a page as another program may write them; its signature must not depend on how the portal would write them. */
test.each([
  ['more decimals than six', '/MediaBox[0 0 595.303937007874 841.889763779528]'],
  ['as many digits as a number has', '/MediaBox[0 0 595.3039370078740157480 841.00000000000000001]'],
  ['a very small number', '/Dur .00000000012345/Xx -.0000001'],
  ['whole reals', '/Rotate 0.0/UserUnit 1.000/Xx[8. -8.0 +8]'],
  ['a line end in a string', '/LastModified(a\rb\r\nc)/Xx<</Yy(d\r)>>'],
  ['an octal number beyond a byte', '/LastModified(\\777)'],
  ['escaped names', '/Xx#20y#2F/#c5#82'],
  ['a key twice with one value', '/Xx/a/Xx /a'],
])('SGN-26 a page that has %s keeps the signature of another program', async (_, entries) => {
  const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Zz(${'~'.repeat(60)})>>`
  const file = fileOf(contract.map((object, index) => (index === 2 ? page : object)))
  const replaced = [`/MediaBox [0 0 595 842] /Zz <${'7e'.repeat(60)}>`, entries] as [string, string]
  const foreign = signPdf(file, { field: 'Obcy', replaced, by: seal })
  const before = await saidOf(foreign)
  expect(before).toEqual([{ field: 'Obcy', intact: true, problems: ['path-untrusted'] }])
  expect(await saidOf(signedAgain(foreign, 'first')!)).toEqual([...before, ours])
})

test('SGN-26 what another signature would break is refused before anything is signed', () => {
  // The form is something else too, so that it may not change.
  const file = fileOf(
    contract.map((object, index) =>
      index === 2 && typeof object === 'string' ? object.replace('/Type', '/PieceInfo 6 0 R/Type') : object,
    ),
  )
  expect(() => inspectFile(file, '')).not.toThrow()
  expect(() => inspectFile(signPdf(file), '')).toThrow('breaks-signature')
})

/** Returns the smallest file whose trailer declares a number of objects, although it has few. */
const withSize = (size: number) => bytesOf(latin1(contractPdf()).replace(/\/Size \d+/, `/Size ${size}`))

test.each<[string, () => Uint8Array, string | undefined]>([
  ['numbers for ten thousand objects', () => withSize(8_378_607), undefined],
  ['one number fewer', () => withSize(8_378_608), 'too-costly'],
  ['a size above what readers support', () => withSize(4_294_967_295), 'too-costly'],
  ['ninety revisions', () => updated(contractPdf(), 89), undefined],
  ['ninety-one revisions', () => updated(contractPdf(), 90), 'too-costly'],
  ['forty-nine signatures', () => withSignatures(49), undefined],
  ['fifty signatures', () => withSignatures(50), 'too-costly'],
])('SGN-20 a file with %s is refused if the signature or its evidence would have no room', (_, file, problem) => {
  const inspected = () => inspectFile(file(), '')
  if (problem) expect(inspected).toThrow(problem)
  else expect(inspected).not.toThrow()
})

function updated(file: Uint8Array, times: number) {
  let bytes = file
  for (let count = 0; count < times; count++)
    bytes = appendValidationData(bytes, { certificates: [], ocsps: [], crls: [] })
  return bytes
}

/** Returns a file with that many signatures in its form, which nobody has checked. */
function withSignatures(count: number) {
  const fields = Array.from({ length: count }, (_, index) => `${8 + index} 0 R`).join(' ')
  const field = (_: unknown, index: number) => `<</FT/Sig/T(${index})/V<</Type/Sig/Contents<00>>>>>`
  const objects = contract.map((object, index) => (index === 5 ? `<</Fields[${fields}]>>` : object))
  return fileOf([...objects, ...Array.from({ length: count }, field)])
}
