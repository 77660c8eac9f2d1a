import type { Text } from '../../contract/enums.ts'
import type { CaseStatus } from '../../contract/vouchers.ts'
import { LookBadge, type StatusLook } from '../ui/badge.tsx'

/** VCH-4: each status as a text and a shape (ux 5.8), in the words of the documents, and without a grammatical gender. */
export const caseStatusLook: Record<CaseStatus, StatusLook> = {
  'in-progress': { kind: 'info', icon: 'hour', text: { pl: 'W\u00a0toku', en: 'In progress' } },
  'finished-successfully': {
    kind: 'ok',
    icon: 'okc',
    text: { pl: 'Zakończono', en: 'Completed' },
  },
  'finished-unsuccessfully': {
    kind: 'err',
    icon: 'alert',
    text: { pl: 'Nie zrealizowano', en: 'Unsuccessful' },
  },
}

export const CaseBadge = ({ status }: { status: CaseStatus }) => <LookBadge look={caseStatusLook[status]} />

/** What comes next, in the details of a case; of one that failed, in the list too. */
export const caseNextText: Record<CaseStatus, Text> = {
  'in-progress': {
    pl: 'Sprawa jest w\u00a0toku. Napiszemy, gdy będziemy czegoś od Ciebie potrzebować.',
    en: 'The case is in progress. We’ll e-mail you if we need anything from you.',
  },
  'finished-successfully': {
    pl: 'Sprawa jest zakończona. Nie musisz nic robić.',
    en: 'The case is complete. You don’t need to do anything.',
  },
  'finished-unsuccessfully': {
    pl: 'Zadzwoń do nas i\u00a0podaj numer sprawy: powiemy, co zrobić dalej.',
    en: 'Call us with the case number and we’ll tell you what to do next.',
  },
}
