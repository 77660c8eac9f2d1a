import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pemToDer } from './certificate.ts'
import { validatePdf } from './pades-validate.ts'
import { policyOf } from './test-pades-signer.ts'
import { anchorsIn } from './test-pades-anchors.ts'

/** Files of other projects with their verdicts; they are no part of this repository (docs/guides/pades-corpus.md). */
const beside = `${import.meta.dirname}/../../shared/corpus/pades/`
const folder = existsSync(`${beside}manifest.json`) ? beside : undefined

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

/** RC4 of revision 3 is not read here: an encrypted file is answered with its own message (R45). */
const refusedByUs = 'open/04-encrypted.pdf'

async function verdictOf({ file, trustAnchor, category }: CorpusFile) {
  const bytes = new Uint8Array(readFileSync(`${folder}${file}`))
  const ders = trustAnchor ? pemToDer(readFileSync(`${folder}${trustAnchor}`, 'utf8')) : anchorsIn(bytes)
  const policy = policyOf({
    anchors: ders.map((certificate) => ({ certificate })),
    signingCertificate: 'any',
    // Hardly any of them is a qualified signature; those that are refused for their chain are judged as such.
    qualified: category === 'chain',
  })
  const { signatures } = await validatePdf(bytes, policy)
  // They are from many years: the day after the newest certificate was issued is a time at which all of them were valid.
  const times = signatures.map(({ signer }) => (signer?.notBefore.getTime() ?? 0) + 86_400_000)
  return validatePdf(bytes, { ...policy, receivedAt: new Date(Math.max(0, ...times)) })
}

test.skipIf(!folder)(
  'R48 of the external corpus (skipped where it is missing) nothing false is accepted, and one file is refused that is good',
  async () => {
    const falselyAccepted: string[] = []
    const falselyRefused: string[] = []
    for (const file of files) {
      const { verdict } = await verdictOf(file)
      if (file.expected.verdict === 'reject' && verdict === 'accepted') falselyAccepted.push(file.file)
      if (file.expected.verdict === 'acceptable' && verdict !== 'accepted') falselyRefused.push(file.file)
    }
    expect(files.length).toBeGreaterThanOrEqual(36)
    expect(falselyAccepted).toEqual([])
    expect(falselyRefused).toEqual([refusedByUs])
  },
)

test.skipIf(!folder)(
  'R48 what other validators say of each good signature (skipped without the corpus) is said here too',
  async () => {
    for (const file of files.filter(
      ({ expected, file: name }) => expected.verdict === 'acceptable' && name !== refusedByUs,
    )) {
      const { signatures } = await verdictOf(file)
      const said = signatures.map((one) => ({ cryptoIntact: one.intact, coversWholeFile: one.coversWholeDocument }))
      const expected = file.expected.perSignature.map(({ cryptoIntact, coversWholeFile }) => ({
        cryptoIntact,
        coversWholeFile,
      }))
      expect({ file: file.file, said }).toEqual({ file: file.file, said: expected })
    }
  },
)
