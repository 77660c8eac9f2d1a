import type { SignatureFound, UploadReport } from '../../../contract/document-report.ts'
import type { Renewal } from '../../../contract/renewal.ts'
import { encryptPdf } from '../../../pki/pdf/pdf-rewrite.ts'
import { makeAgreement, type AgreementTerms } from '../../../provider/agreements/agreement.ts'
import { documentSigner } from '../../../provider/demonstration/demonstration-people.ts'
import { inDays } from '../fake-replies.ts'

type Terms = Pick<AgreementTerms, 'number' | 'subject' | 'notBefore' | 'notAfter'>

/** Creates an agreement that is concluded now. */
const agreementOn = async (terms: Terms) =>
  new Uint8Array(
    await makeAgreement({
      language: 'pl',
      concludedAt: new Date(),
      product: 'app',
      email: 'm.wisniewska@kancelaria-zrodlo.example',
      phone: '+48600100417',
      ...terms,
    }),
  )

let made: Promise<Uint8Array<ArrayBuffer>> | undefined

/** Returns one agreement for all cases; no test depends on its content. */
export const agreement = () =>
  (made ??= agreementOn({
    number: 'U-20846',
    subject: documentSigner,
    notBefore: new Date(),
    notAfter: new Date(inDays(730)),
  }))

/** Creates the agreement on a renewal, which states the choices made in it. */
export const renewalAgreement = ({ uid, parameters: { company, position }, person, terms }: Renewal) =>
  agreementOn({
    number: `TEST/${uid.slice(0, 8).toUpperCase()}`,
    subject: {
      ...documentSigner,
      givenName: [person.firstName, person.secondName].filter(Boolean).join(' '),
      surname: person.surname,
      ...(company && {
        organisation: { name: company, identifier: 'VATPL-1234563218', ...(position && { position }) },
      }),
    },
    notBefore: terms?.from ? new Date(terms.from) : null,
    notAfter: new Date(terms?.to ?? inDays(730)),
  })

export const accessCode = '7K2M-9QXD-04HT-VN6E'

/** Returns the agreement as the portal encrypts it, with its access code. */
export const lockedAgreement = async () => locked(await agreement())

const locked = (pdf: Uint8Array<ArrayBuffer>) => encryptPdf(pdf, { password: accessCode, owner: 'provider' })

/** Marks a PDF so that the browser accepts it as signed; the replies of the server are faked. */
export const asSigned = (pdf: Uint8Array) => Buffer.concat([pdf, Buffer.from('% /ByteRange')])

/** PDF without a page, so that nothing of it can be shown. */
const withoutPages = `%PDF-1.7
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [] /Count 0 >>
endobj
xref
0 3
0000000000 65535 f 
0000000009 00000 n 
0000000058 00000 n 
trailer
<< /Size 3 /Root 1 0 R >>
startxref
110
%%EOF
`
export const pageless = () => Buffer.from(withoutPages)
export const lockedPageless = () => locked(pageless())

const signature = (over: Partial<SignatureFound> = {}): SignatureFound => ({
  kind: 'signature',
  signer: 'Małgorzata Wiśniewska',
  issuer: 'Sygnet QCA',
  intact: true,
  coversWholeDocument: true,
  trusted: true,
  revocation: 'good',
  claimedAt: '2026-11-21T09:42:00.000Z',
  provenAt: '2026-11-21T09:42:05.000Z',
  level: 'B-T',
  problems: [],
  ...over,
})

/** Possible reports of the check of an upload. */
export const reports = {
  accepted: { verdict: 'accepted', document: 'same-bytes', problems: [], signatures: [signature()] },
  pending: {
    verdict: 'pending',
    document: 'same-content',
    problems: [],
    signatures: [
      signature({
        provenAt: null,
        revocation: 'unknown',
        problems: [
          { code: 'revocation-unknown', severity: 'wait' },
          { code: 'padding', severity: 'remark' },
        ],
      }),
    ],
  },
  different: {
    verdict: 'pending',
    document: 'same-content',
    problems: [{ code: 'looks-different', severity: 'wait' }],
    signatures: [signature()],
  },
  refused: {
    verdict: 'refused',
    document: 'other',
    problems: [{ code: 'other-document', severity: 'refuse' }],
    signatures: [
      signature({
        signer: 'Tomasz Czekaj',
        intact: false,
        coversWholeDocument: false,
        trusted: false,
        problems: [
          { code: 'other-signer', severity: 'refuse' },
          { code: 'path-untrusted', severity: 'refuse' },
          { code: 'changed-after-signing', severity: 'refuse' },
        ],
      }),
    ],
  },
} satisfies Record<string, UploadReport>
