import { DocumentStatus } from '../../contract/documents.ts'
import { searchedOf, statusChoice } from '../lists/list-search.tsx'
import { statusFilterLook } from './document-status.tsx'

const filtersOf = ({ status, ...searched }: Record<string, unknown>) => ({
  ...searchedOf(searched),
  status: DocumentStatus.safeParse(status).data,
})

/** Search and filters for documents, and for the cases to which they belong (DOC-14, VCH-5). */
export const documentSearch = {
  label: { pl: 'Szukaj po nazwie lub numerze', en: 'Search by name or number' },
  choices: [statusChoice('status', statusFilterLook)],
  filtersOf,
}
