import { DocumentStatus } from '../../contract/documents.ts'
import { searchedText, statusChoice } from '../list-search.tsx'
import { statusFilterLook } from './document-status.tsx'

/** How documents, and the cases that they belong to, are searched and filtered (DOC-14, VCH-5). */
export const documentSearch = {
  label: { pl: 'Szukaj po nazwie lub numerze', en: 'Search by name or number' },
  choices: [statusChoice('status', statusFilterLook)],
}

/** Of the fields of the search, or of the address. */
export const documentFiltersOf = ({ search, status }: Record<string, unknown>) => ({
  search: searchedText(search),
  status: DocumentStatus.safeParse(status).data,
})
