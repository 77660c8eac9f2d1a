import type { DeskCase } from '../../contract/desk/desk-cases.ts'
import type { Text } from '../../contract/enums.ts'
import { useText } from '../locale.tsx'
import { ResultNotice } from './result-notice.tsx'

export type Decision = keyof typeof decisionText

/** A task of a case: `onDecided` gets the decision, and the case as it is then. */
export type TaskProps = {
  found: DeskCase
  account: string
  onDecided: (decision: Decision, reply: DeskCase) => Promise<unknown>
}

const decisionText = {
  confirmed: {
    pl: 'Dokument potwierdzony. Klient dostanie e-mail.',
    en: 'The document was confirmed. The customer gets an e-mail.',
  },
  refused: {
    pl: 'Dokument odrzucony. Klient dostanie e-mail.',
    en: 'The document was refused. The customer gets an e-mail.',
  },
  cancelled: {
    pl: 'Sprawa anulowana. Klient dostanie e-mail.',
    en: 'The case was cancelled. The customer gets an e-mail.',
  },
} as const satisfies Record<string, Text>

export function DecisionResult({ decision }: { decision: Decision }) {
  const t = useText()
  return <ResultNotice>{t(decisionText[decision])}</ResultNotice>
}
