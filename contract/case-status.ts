import type { CaseStatus } from './vouchers.ts'
import { keysOf } from './keys-of.ts'

/**
 * The Polish names that the provider's systems use for the states of a case, by the status that the customer sees (VCH-4).
 * Case, Polish letters, spaces and punctuation make no difference. „Zakończona” alone is missing: it does not say how.
 */
export const caseStatusVariants: Record<CaseStatus, readonly string[]> = {
  'in-progress': [
    'W toku',
    'W trakcie',
    'W trakcie realizacji',
    'W realizacji',
    'W trakcie weryfikacji',
    'W weryfikacji',
    'Nowa',
    'Nowy',
    'Nowy wniosek',
    'Otwarta',
    'Rozpoczęta',
    'Złożona',
    'Złożony',
    'Złożono wniosek',
    'Zarejestrowana',
    'Zarejestrowany',
    'Zarejestrowano',
    'Przyjęta',
    'Przyjęty',
    'Przyjęto',
    'Przyjęta do realizacji',
    'Przyjęto do realizacji',
    'Oczekuje',
    'Oczekująca',
    'Oczekuje na klienta',
    'Oczekuje na dokumenty',
    'Oczekuje na podpis',
    'Oczekuje na weryfikację',
    'Oczekuje na wydanie',
    'Wstrzymana',
    'Zawieszona',
  ],
  'finished-successfully': [
    'Zakończona pomyślnie',
    'Zakończony pomyślnie',
    'Zakończone pomyślnie',
    'Zakończono pomyślnie',
    'Zakończona pozytywnie',
    'Zakończony pozytywnie',
    'Zakończono pozytywnie',
    'Zakończona sukcesem',
    'Zakończono sukcesem',
    'Rozpatrzona pozytywnie',
    'Rozpatrzony pozytywnie',
    'Zamknięta pozytywnie',
    'Zamknięto pozytywnie',
    'Zrealizowana',
    'Zrealizowany',
    'Zrealizowano',
    'Wydana',
    'Wydany',
    'Wydano',
    'Wydano certyfikat',
    'Wydano pieczęć',
    'Certyfikat wydany',
    'Sukces',
  ],
  'finished-unsuccessfully': [
    'Zakończona niepomyślnie',
    'Zakończony niepomyślnie',
    'Zakończone niepomyślnie',
    'Zakończono niepomyślnie',
    'Zakończona negatywnie',
    'Zakończony negatywnie',
    'Zakończono negatywnie',
    'Zakończona niepowodzeniem',
    'Zakończono niepowodzeniem',
    'Rozpatrzona negatywnie',
    'Rozpatrzony negatywnie',
    'Zamknięta negatywnie',
    'Zamknięto negatywnie',
    'Niezrealizowana',
    'Niezrealizowany',
    'Odrzucona',
    'Odrzucony',
    'Odrzucono',
    'Odmowa',
    'Odmowa wydania',
    'Anulowana',
    'Anulowany',
    'Anulowano',
    'Wycofana',
    'Wycofany',
    'Rezygnacja',
    'Rezygnacja klienta',
    'Wygasła',
    'Wygasł',
  ],
}

const normalise = (status: string) =>
  status
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const statusByVariant = new Map(
  keysOf(caseStatusVariants).flatMap((status) =>
    caseStatusVariants[status].map((variant) => [normalise(variant), status] as const),
  ),
)

/** Undefined for an unknown name: such a case counts as in progress, and the operator gets an alarm. */
export const caseStatusOf = (providerStatus: string): CaseStatus | undefined =>
  statusByVariant.get(normalise(providerStatus))
