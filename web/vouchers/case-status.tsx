import type { Text } from '../../contract/enums.ts'
import type { CaseStatus } from '../../contract/vouchers.ts'
import { LookBadge, type StatusLook } from '../ui/badge.tsx'

/** The text and the shape of each status, in the words of the documents, and without a grammatical gender (VCH-4). */
export const caseStatusLook: Record<CaseStatus, StatusLook> = {
  'in-progress': { kind: 'info', icon: 'hourglass', text: { pl: 'W\u00a0toku', en: 'In progress' } },
  'finished-successfully': { kind: 'ok', icon: 'check-circle', text: { pl: 'Zakończono', en: 'Completed' } },
  'finished-unsuccessfully': { kind: 'error', icon: 'alert', text: { pl: 'Nie zrealizowano', en: 'Unsuccessful' } },
}

export const CaseBadge = ({ status }: { status: CaseStatus }) => <LookBadge look={caseStatusLook[status]} />

/** Texts on what happens now and what comes next, by status. */
export const caseNextText: Record<CaseStatus, Text> = {
  'in-progress': {
    pl: 'Zajmujemy się wnioskiem. Gdy będzie wynik, napiszemy.',
    en: 'We’re working on your application. We’ll e-mail you the result.',
  },
  'finished-successfully': { pl: 'Nie musisz nic robić.', en: 'There’s nothing for you to do.' },
  'finished-unsuccessfully': {
    pl: 'Zadzwoń do nas i\u00a0podaj numer sprawy: powiemy, co zrobić dalej.',
    en: 'Call us with the case number and we’ll tell you what to do next.',
  },
}

/** The text where no case matches the filters. */
export const noCaseFound = { pl: 'Nie znaleziono takiej sprawy.', en: 'No matching cases.' }
