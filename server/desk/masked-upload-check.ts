import type { UploadCheck } from '../../contract/desk/desk-cases.ts'
import type { UploadReport } from '../../contract/document-report.ts'
import { initial } from './masked-identity.ts'

/** R235: who signed, as far as it is needed to recognise them. Who has issued their certificate themselves is its issuer too. */
export const maskedUploadCheck = ({ signatures, ...report }: UploadReport): UploadCheck => ({
  ...report,
  signatures: signatures.map(({ level: _, ...signature }) => ({
    ...signature,
    signer: signature.signer && maskName(signature.signer),
    issuer: signature.trusted ? signature.issuer : null,
  })),
})

/** The order of first name and surname in a certificate is not known, so each is masked. */
const maskName = (name: string) =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `${initial(word)}•••`)
    .join(' ')
