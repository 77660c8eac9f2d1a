import { keysOf } from './enums.ts'
import type { CaseStatus } from './vouchers.ts'

/**
 * The Polish names that the provider's systems use for the states of a case, by the status that the customer sees (VCH-4) and
 * by what the name is in English. Case, Polish letters, spaces and punctuation make no difference. „Zakończona” alone is
 * missing: it does not say how.
 */
export const caseStatusVariants: Record<CaseStatus, Record<string, readonly string[]>> = {
  'in-progress': {
    'In progress': ['W toku', 'W trakcie', 'W trakcie realizacji', 'W realizacji'],
    'Being checked': ['W trakcie weryfikacji', 'W weryfikacji'],
    New: ['Nowa', 'Nowy'],
    'New application': ['Nowy wniosek'],
    Open: ['Otwarta'],
    Started: ['Rozpoczęta'],
    Submitted: ['Złożona', 'Złożony', 'Złożono wniosek'],
    Registered: ['Zarejestrowana', 'Zarejestrowany', 'Zarejestrowano'],
    Accepted: ['Przyjęta', 'Przyjęty', 'Przyjęto'],
    'Accepted for processing': ['Przyjęta do realizacji', 'Przyjęto do realizacji'],
    Waiting: ['Oczekuje', 'Oczekująca'],
    'Waiting for the customer': ['Oczekuje na klienta'],
    'Waiting for documents': ['Oczekuje na dokumenty'],
    'Waiting for a signature': ['Oczekuje na podpis'],
    'Waiting to be checked': ['Oczekuje na weryfikację'],
    'Waiting to be issued': ['Oczekuje na wydanie'],
    'On hold': ['Wstrzymana', 'Zawieszona'],
  },
  'finished-successfully': {
    'Completed successfully': [
      'Zakończona pomyślnie',
      'Zakończony pomyślnie',
      'Zakończone pomyślnie',
      'Zakończono pomyślnie',
      'Zakończona pozytywnie',
      'Zakończony pozytywnie',
      'Zakończono pozytywnie',
      'Zakończona sukcesem',
      'Zakończono sukcesem',
      'Sukces',
    ],
    Approved: ['Rozpatrzona pozytywnie', 'Rozpatrzony pozytywnie'],
    'Closed successfully': ['Zamknięta pozytywnie', 'Zamknięto pozytywnie'],
    Completed: ['Zrealizowana', 'Zrealizowany', 'Zrealizowano'],
    Issued: ['Wydana', 'Wydany', 'Wydano'],
    'Certificate issued': ['Wydano certyfikat', 'Certyfikat wydany'],
    'Seal issued': ['Wydano pieczęć'],
  },
  'finished-unsuccessfully': {
    'Ended unsuccessfully': [
      'Zakończona niepomyślnie',
      'Zakończony niepomyślnie',
      'Zakończone niepomyślnie',
      'Zakończono niepomyślnie',
      'Zakończona negatywnie',
      'Zakończony negatywnie',
      'Zakończono negatywnie',
      'Zakończona niepowodzeniem',
      'Zakończono niepowodzeniem',
    ],
    Rejected: ['Rozpatrzona negatywnie', 'Rozpatrzony negatywnie', 'Odrzucona', 'Odrzucony', 'Odrzucono'],
    'Closed unsuccessfully': ['Zamknięta negatywnie', 'Zamknięto negatywnie'],
    'Not completed': ['Niezrealizowana', 'Niezrealizowany'],
    Refused: ['Odmowa'],
    'Issuance refused': ['Odmowa wydania'],
    Cancelled: ['Anulowana', 'Anulowany', 'Anulowano'],
    Withdrawn: ['Wycofana', 'Wycofany'],
    'Withdrawn by the customer': ['Rezygnacja', 'Rezygnacja klienta'],
    Expired: ['Wygasła', 'Wygasł'],
  },
}

const normalise = (status: string) =>
  status
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const variants = new Map(
  keysOf(caseStatusVariants).flatMap((status) =>
    Object.entries(caseStatusVariants[status]).flatMap(([english, names]) =>
      names.map((name) => [normalise(name), { status, english }] as const),
    ),
  ),
)

/** Returns the status of a case; undefined for an unknown name: such a case counts as in progress, and the operator gets an alarm. */
export const caseStatusOf = (providerStatus: string): CaseStatus | undefined =>
  variants.get(normalise(providerStatus))?.status

/** Returns the provider's name of the status in English, if it is known. */
export const caseStatusInEnglish = (providerStatus: string): string | undefined =>
  variants.get(normalise(providerStatus))?.english
