import { documentActions, type DocumentCase } from '../../contract/documents.ts'
import { pages } from '../../contract/pages.ts'

/** The beginning of a fragment that opens the dialog in which a case is signed. */
export const signFragment = '#sign-'

export const signsHere = (document: DocumentCase) => documentActions(document).includes('sign-here')

type Addressed = (document: DocumentCase, search?: string) => string

/** Returns the address of a case's row in the list. `search`: query of the page of the list that has the row. */
export const rowAddress: Addressed = ({ id }, search = '') => at(search, `#document-${id}`)

/** Returns the address where the customer continues with a case: its dialog if it can be signed here (DOC-10), else its row. */
export const documentAddress: Addressed = (document, search = '') =>
  signsHere(document) ? at(search, signFragment + document.id) : rowAddress(document, search)

const at = (search: string, fragment: string) => pages.documents.path + (search && `?${search}`) + fragment
