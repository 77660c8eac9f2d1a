import { documentActions, type DocumentCase } from '../../contract/documents.ts'
import { pages } from '../../contract/pages.ts'

/** The beginning of a fragment that opens the dialog in which a case is signed. */
export const signFragment = '#sign-'

export const signsHere = (document: DocumentCase) => documentActions(document).includes('sign-here')

type Addressed = (document: DocumentCase, search?: string) => string

/** The row of a case in the list. `search`: of the page of the list that has it. */
export const rowAddress: Addressed = ({ id }, search = '') => at(search, `#document-${id}`)

/** Where the customer goes on with a case: in its dialog if it can be signed here (DOC-10), else at its row. */
export const documentAddress: Addressed = (document, search = '') =>
  signsHere(document) ? at(search, signFragment + document.id) : rowAddress(document, search)

const at = (search: string, fragment: string) => pages.documents.path + (search && `?${search}`) + fragment
