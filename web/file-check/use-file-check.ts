import { useEffect, useRef, useState } from 'react'
import type { Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { DocumentProblem } from '../../pki/pades/pades-report.ts'
import { useHandover } from '../app/screen-handover.ts'
import { hasFailedWith, type ApiError } from '../calls/api.ts'
import { onlyOne, tooLarge, unreadable } from '../text/file-problem-text.ts'
import { judgeFile, type JudgedFile } from './judge-file.ts'

export type Report = Extract<JudgedFile, { report: unknown }>

export type Step =
  | { at: 'choosing'; problem?: Text; failure?: ApiError }
  | { at: 'checking'; file: File; password: string; phase: 'reading' | 'asking' }
  /** `isWrong`: the one that was entered does not open it. */
  | { at: 'password'; file: File; isWrong: boolean }
  /** File without a problem that nobody has signed. */
  | { at: 'unsigned'; file: File }
  | { at: 'report'; file: File; password: string; result: Report }

const tooComplex: Text = {
  pl: 'Ten plik jest zbyt złożony, aby go sprawdzić.',
  en: 'This file is too complex to check.',
}

const notPdf = (name: string): Text => ({
  pl: `To nie jest plik PDF: ${name}. Wybierz inny.`,
  en: `This isn’t a PDF file: ${name}. Choose another one.`,
})

/** Reasons why a PDF file cannot be judged at all. */
const fileProblems: Partial<Record<DocumentProblem, Text>> = {
  damaged: {
    pl: 'Ten plik jest uszkodzony i\u00a0nie można go sprawdzić. Poproś o\u00a0niego jeszcze raz.',
    en: 'This file is damaged and can’t be checked. Ask for it again.',
  },
  'stray-bytes': {
    pl: 'W\u00a0tym pliku jest coś przed początkiem albo za końcem dokumentu PDF, więc nie można go sprawdzić. Poproś o\u00a0niego jeszcze raz.',
    en: 'This file has something before the beginning or after the end of the PDF document, so it can’t be checked. Ask for it again.',
  },
  encrypted: {
    pl: 'Ten plik jest zaszyfrowany metodą, której nie obsługujemy. Poproś o\u00a0niezaszyfrowany.',
    en: 'This file is encrypted in a way we don’t support. Ask for one that isn’t encrypted.',
  },
  'too-costly': tooComplex,
}

/** Opens a chosen file, with its password if it has one, and judges it in this browser (CHK-2). */
export function useFileCheck() {
  const [step, setStep] = useState<Step>({ at: 'choosing' })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  useHandover(step, (former) => {
    if (former.at === 'checking') void check(former.file, former.password)
    else setStep(former)
  })

  const refuse = (problem: Text) => setStep({ at: 'choosing', problem })

  function choose(files: FileList | null) {
    const [file, ...more] = files ?? []
    if (!file) return
    if (more.length) return refuse(onlyOne)
    if (file.size > limits.fileCheck.bytes) return refuse(tooLarge(file.size, limits.fileCheck.bytes))
    void check(file, '')
  }

  async function check(file: File, password: string) {
    const { signal } = (running.current = new AbortController())
    const show = (next: Step) => {
      if (!signal.aborted) setStep(next)
    }
    show({ at: 'checking', file, password, phase: 'reading' })
    try {
      const onAsking = () => show({ at: 'checking', file, password, phase: 'asking' })
      show(stepAfter(file, password, await judgeFile(file, { password, signal, onAsking })))
    } catch (error) {
      if (signal.aborted) return
      if (!hasFailedWith(error)) throw error
      show({ at: 'choosing', failure: error })
    }
  }

  return {
    step,
    choose,
    open: (file: File, password: string) => void check(file, password),
    /** Ends a check, or leaves its report. */
    startAgain: () => {
      running.current?.abort()
      setStep({ at: 'choosing' })
    },
  }
}

function stepAfter(file: File, password: string, result: JudgedFile): Step {
  if ('failed' in result) return { at: 'choosing', problem: result.failed === 'unreadable' ? unreadable : tooComplex }
  const codes = result.report.problems.map(({ code }) => code)
  if (codes.includes('wrong-password')) return { at: 'password', file, isWrong: password !== '' }
  if (codes.includes('not-pdf')) return { at: 'choosing', problem: notPdf(file.name) }
  const problem = codes.map((code) => fileProblems[code]).find((text) => text !== undefined)
  if (problem) return { at: 'choosing', problem }
  if (!result.report.signatures.length) return { at: 'unsigned', file }
  return { at: 'report', file, password, result }
}
