import { expect, test } from 'vitest'
import { has } from '../testing/peer-programs.ts'
import { changedDocument } from '../testing/changed-documents.ts'
import { issuedDocuments } from '../testing/rich-document.ts'
import { isRenderedAlike, judgeChanged, renderByPoppler } from '../testing/rendered-pages.ts'

const documents = 60

// For all ten thousand, also in pdf.js in a browser: npm run drills changed-documents.
test.skipIf(!has('pdftoppm'))(
  'R98 R107 of changed documents none is accepted that Poppler shows otherwise than the issued one (skipped without it)',
  async () => {
    const all = issuedDocuments()
    const falselyAccepted: string[] = []
    let accepted = 0
    for (let seed = 0; seed < documents; seed++) {
      const { bytes: issued, name } = all[seed % all.length]!
      const changed = changedDocument(issued, seed)
      if ((await judgeChanged(issued, changed.bytes)).verdict !== 'accepted') continue
      accepted++
      if (!(await isRenderedAlike(renderByPoppler, issued, changed)))
        falselyAccepted.push(`${seed} ${name}: ${changed.what}`)
    }
    expect(falselyAccepted).toEqual([])
    expect(accepted).toBeGreaterThan(0)
  },
)
