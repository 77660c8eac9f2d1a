import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pemToDer, readCertificate } from '../asn1/certificate.ts'
import { anchorsIn } from '../testing/pades-anchors.ts'
import { policyOf } from '../testing/pades-authorities.ts'
import { problemsOf } from '../testing/signed-contract.ts'
import { issuedFile } from './pades-issued.ts'
import { validatePdf } from './pades-validate.ts'

/** Files of other projects with their verdicts (docs/guides/pades.md). */
const corpus = `${import.meta.dirname}/../../../shared/corpus/pades/`
const folder = existsSync(`${corpus}manifest.json`) ? corpus : undefined

type CorpusFile = {
  file: string
  expected: {
    verdict: 'acceptable' | 'reject' | 'indeterminate'
    perSignature: { coversWholeFile: boolean; cryptoIntact: boolean }[]
  }
  trustAnchor?: string
  category: string
}
const files = folder
  ? (JSON.parse(readFileSync(`${folder}manifest.json`, 'utf8')) as { files: CorpusFile[] }).files
  : []

/** Encrypted with RC4 of revision 3, which is not supported and has its own message (R45). */
const refusedByUs = 'open/04-encrypted.pdf'

const pemFile = (name: string) => pemToDer(readFileSync(`${folder}${name}`, 'utf8'))

/** Returns the declared anchor of a file, or the corpus's anchors and the file's authorities, but never a signer. */
async function anchorsOf({ trustAnchor }: CorpusFile, bytes: Uint8Array) {
  if (trustAnchor) return pemFile(trustAnchor)
  const { signatures } = await validatePdf(bytes, policyOf({ anchors: [], signingCertificate: 'any' }))
  const signers = signatures.flatMap(({ signer }) => (signer ? [signer.serialNumber] : []))
  const carried = anchorsIn(bytes).filter((der) => !signers.includes(readCertificate(der).serialNumber))
  return [...readdirSync(`${folder}anchors`).flatMap((name) => pemFile(`anchors/${name}`)), ...carried]
}

const day = 86_400_000

/** A form that was filled in: permitted by PDF, and refused of an issued document alone. */
const filledForm = 'open/14-pades-signed-filled-form.pdf'

async function reportOn(corpusFile: CorpusFile) {
  const bytes = new Uint8Array(readFileSync(`${folder}${corpusFile.file}`))
  const policy = policyOf({
    anchors: (await anchorsOf(corpusFile, bytes)).map((certificate) => ({ certificate })),
    signingCertificate: 'any',
    revocation: 'required',
    // Hardly any is a qualified signature, except those that test the chain.
    qualified: corpusFile.category === 'chain',
  })
  const { signatures } = await validatePdf(bytes, policy)
  const issued = corpusFile.file === filledForm && [issuedFile(bytes.subarray(0, signatures[0]?.end))]
  // They are from many years; all are valid the day after the newest certificate was issued, or a while after the newest timestamp.
  const times = signatures.flatMap(({ signer, provenAt }) => [
    (signer?.notBefore.getTime() ?? 0) + day,
    (provenAt?.getTime() ?? 0) + 100 * day,
  ])
  const newest = Math.max(0, ...times)
  return validatePdf(bytes, { ...policy, ...(issued && { issued }), receivedAt: new Date(newest) })
}

/** The only problems of good files without an authority or revocation data. */
const lacksProof = new Set(['path-untrusted', 'revocation-unknown'])

async function judged(corpusFile: CorpusFile) {
  const { verdict, ...report } = await reportOn(corpusFile)
  const faults = problemsOf(report).map(({ code }) => code)
  return {
    verdict,
    faults: faults.filter((code) => corpusFile.trustAnchor || !lacksProof.has(code)),
    signatures: report.signatures.map(({ intact, coversWholeDocument }) => ({
      cryptoIntact: intact,
      coversWholeFile: coversWholeDocument,
    })),
  }
}

const named = (expected: CorpusFile['expected']['verdict']) =>
  files.filter(({ expected: { verdict } }) => verdict === expected)

test.skipIf(!folder)(
  'R48 of the external corpus (skipped where it is missing) every bad file is refused for what is wrong with it',
  async () => {
    expect(files.length).toBeGreaterThanOrEqual(36)
    for (const file of named('reject')) {
      const { verdict, faults } = await judged(file)
      expect({ file: file.file, verdict, hasFault: faults.length > 0 }).toEqual({
        file: file.file,
        verdict: 'refused',
        hasFault: true,
      })
    }
  },
)

test.skipIf(!folder)(
  'R48 of the external corpus (skipped where it is missing) one good file is refused, only files with validation data of their own are accepted, and each signature is judged as by other validators',
  async () => {
    const verdicts = new Map<string, string>()
    for (const { file, ...rest } of named('acceptable')) {
      const { verdict, faults, signatures } = await judged({ file, ...rest })
      if (verdict === 'accepted' || faults.length > 0) verdicts.set(file, faults.join() || verdict)
      if (file === refusedByUs) continue
      const expected = rest.expected.perSignature.map(({ cryptoIntact, coversWholeFile }) => ({
        cryptoIntact,
        coversWholeFile,
      }))
      expect({ file, signatures }).toEqual({ file, signatures: expected })
    }
    expect(Object.fromEntries(verdicts)).toEqual({
      [refusedByUs]: 'encrypted',
      'open/06-pades-ltv.pdf': 'accepted',
      'open/07-doc-firmado-LT.pdf': 'accepted',
    })
  },
)
