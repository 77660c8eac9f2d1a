import { nodeCipher, nodeInflate } from '../../../pki/pdf/pdf-cipher-node.ts'
import { encryptPdf } from '../../../pki/pdf/pdf-rewrite.ts'
import { makeAgreement } from '../../../provider/agreements/agreement.ts'
import { documentSigner } from '../../../provider/demonstration/demonstration-people.ts'

let made: Promise<Uint8Array<ArrayBuffer>> | undefined

/** One agreement for all states and cases; no test depends on its content. */
export const agreement = () =>
  (made ??= makeAgreement({
    language: 'pl',
    number: 'U-20846',
    concludedAt: new Date('2026-11-21T10:00:00Z'),
    product: 'app',
    subject: documentSigner,
    notBefore: new Date('2026-11-21T10:00:00Z'),
    notAfter: new Date('2028-11-20T10:00:00Z'),
    email: 'm.wisniewska@kancelaria-zrodlo.example',
    phone: '+48600100417',
  }).then((bytes) => new Uint8Array(bytes)))

export const accessCode = '7K2M-9QXD-04HT-VN6E'

/** The agreement as the portal encrypts it, with its access code. */
export const lockedAgreement = async () => locked(await agreement())

const locked = (pdf: Uint8Array<ArrayBuffer>) =>
  encryptPdf(pdf, { password: accessCode, owner: 'provider' }, { cipher: nodeCipher, inflate: nodeInflate })

/** The browser accepts it as signed; the replies of the server are faked. */
export const asSigned = (pdf: Uint8Array) => Buffer.concat([pdf, Buffer.from('% /ByteRange')])

/** Without a page, so nothing of it can be shown. */
const pageless = `%PDF-1.7
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
export const lockedPageless = () => locked(Buffer.from(pageless))
