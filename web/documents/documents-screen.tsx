import '../certificates/certificate-list.css'
import '../ui/table.css'
import { DocumentList } from './document-list.tsx'
import './documents.css'

/** DOC-1…DOC-13: what the provider has passed to the customer to be signed. */
export const DocumentsScreen = () => <DocumentList />
