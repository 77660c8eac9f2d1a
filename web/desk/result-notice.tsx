import { useEffect, useRef, type ReactNode } from 'react'
import { Notice } from '../ui/notice.tsx'

/** What a decision has led to. It takes the focus, because the pressed button is gone. */
export function ResultNotice({ children }: { children: ReactNode }) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => notice.current?.focus(), [])
  return (
    <Notice ref={notice} kind="ok" role="status" tabIndex={-1}>
      {children}
    </Notice>
  )
}
