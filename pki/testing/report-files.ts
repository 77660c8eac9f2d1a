import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { pemToDer } from '../asn1/certificate.ts'
import { hexOf } from '../bytes.ts'
import { validatePdf } from '../pades/pades-validate.ts'
import { anchorsIn } from './pades-anchors.ts'
import { policyOf } from './pades-authorities.ts'

/**
 * Prints the whole report on each file that a line of the input names, as JSON. Started with `--conditions=browser`, it does so by what
 * browsers get.
 */
const folder = process.argv[2] ?? ''
const anchors = existsSync(folder)
  ? readdirSync(folder).flatMap((name) => pemToDer(readFileSync(`${folder}/${name}`, 'utf8')))
  : []

const plain = (_: string, value: unknown) => (value instanceof Uint8Array ? hexOf(value) : value)

for await (const file of createInterface(process.stdin)) {
  const bytes = new Uint8Array(readFileSync(file))
  const policy = policyOf({
    anchors: [...anchors, ...anchorsIn(bytes)].map((certificate) => ({ certificate })),
    signingCertificate: 'any',
    receivedAt: new Date('2026-11-26'),
  })
  process.stdout.write(`${JSON.stringify(await validatePdf(bytes, policy), plain)}\n`)
}
