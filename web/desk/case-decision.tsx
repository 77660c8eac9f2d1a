import { useEffect, useRef, type ReactNode } from 'react'
import type { CaseKind, DeskCase } from '../../contract/desk/desk-cases.ts'
import type { Text } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import { Notice } from '../ui/notice.tsx'
import { mailFollows } from './case-text.ts'

export type Decision = keyof typeof decisionText

/** A task of a case: `onDecided` gets the decision, and the case as it is then. */
export type TaskProps = {
  found: DeskCase
  account: string
  onDecided: (decision: Decision, reply: DeskCase) => Promise<unknown>
}

const decisionText = {
  confirmed: { pl: 'Dokument potwierdzony.', en: 'The document was confirmed.' },
  refused: { pl: 'Dokument odrzucony.', en: 'The document was refused.' },
  canceled: { pl: 'Sprawa anulowana.', en: 'The case was cancelled.' },
} as const satisfies Record<string, Text>

/** Shows the result of a decision, and takes the focus, because the pressed button is gone. */
export function ResultNotice({ children }: { children: ReactNode }) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => notice.current?.focus(), [])
  return (
    <Notice ref={notice} kind="ok" role="status" tabIndex={-1}>
      {children}
    </Notice>
  )
}

export function DecisionResult({ kind, decision }: { kind: CaseKind; decision: Decision }) {
  const t = useText()
  return (
    <ResultNotice>
      {t(decisionText[decision])}
      {t(mailFollows(kind))}
    </ResultNotice>
  )
}
