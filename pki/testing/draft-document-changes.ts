import { isDictionary, pdfDictionary, pdfName, pdfReference, pdfText, type PdfValue } from '../pdf/pdf-value.ts'
import type { Visibility } from './document-change.ts'
import { type DraftChange, on, font, formOf } from './draft-change.ts'
import { catalogIn, resolved } from './pdf-draft.ts'

const inForm = (name: string, key: string, value: PdfValue) =>
  on(`the form: ${name}`, 'maybe', (draft) => void formOf(draft).set(key, value))

const inCatalog = (key: string, value: PdfValue, visible: Visibility = 'maybe') =>
  on(`the catalog: ${key}`, visible, (draft) => void catalogIn(draft).set(key, value))

export const documentChanges: DraftChange[] = [
  inForm('new appearances', 'NeedAppearances', true),
  inForm('a default', 'DA', pdfText('/F1 30 Tf 1 0 0 rg')),
  inForm('alignment', 'Q', 2),
  inForm('fonts', 'DR', pdfDictionary({ Font: pdfDictionary({ F1: font, Helv: font }) })),
  inForm('a program', 'XFA', pdfText('<xdp/>')),
  inForm('an order', 'CO', []),
  inForm('no fields', 'Fields', []),
  inCatalog('OpenAction', [pdfReference(3), pdfName('XYZ'), 0, 0, 8]),
  inCatalog('PageMode', pdfName('FullScreen')),
  inCatalog('PageLayout', pdfName('TwoColumnLeft')),
  inCatalog('PageLabels', pdfDictionary({ Nums: [0, pdfDictionary({ S: pdfName('r') })] })),
  inCatalog('ViewerPreferences', pdfDictionary({ Direction: pdfName('R2L') })),
  inCatalog('Lang', pdfText('de')),
  inCatalog('Version', pdfName('1.7'), 'no'),
  inCatalog('Metadata', pdfReference(9000), 'no'),
  inCatalog('OutputIntents', [pdfDictionary({ S: pdfName('GTS_PDFA1'), OutputConditionIdentifier: pdfText('x') })]),
  inCatalog('Collection', pdfDictionary({ View: pdfName('D') })),
  inCatalog('Names', pdfDictionary({ Dests: pdfDictionary({ Names: [] }) })),
  inCatalog('Threads', []),
  inCatalog('StructTreeRoot', pdfDictionary({ Type: pdfName('StructTreeRoot') })),
  inCatalog('OCProperties', pdfDictionary({ OCGs: [], D: pdfDictionary({ BaseState: pdfName('OFF') }) })),
  on('layers on and off', 'maybe', (draft) => {
    const layers = resolved(draft, catalogIn(draft).get('OCProperties'))
    const defaults = isDictionary(layers) ? layers.get('D') : undefined
    if (!isDictionary(defaults)) return false
    const [seen, unseen] = [defaults.get('ON') ?? [], defaults.get('OFF') ?? []]
    defaults.set('ON', unseen).set('OFF', seen)
  }),
  on('layers seen by an event', 'maybe', (draft) => {
    const layers = resolved(draft, catalogIn(draft).get('OCProperties'))
    const defaults = isDictionary(layers) ? layers.get('D') : undefined
    if (!isDictionary(defaults)) return false
    defaults.set('AS', [
      pdfDictionary({ Event: pdfName('View'), Category: [pdfName('View')], OCGs: [pdfReference(16)] }),
    ])
  }),
]
