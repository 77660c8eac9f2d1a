import { useEffect, useRef, useState } from 'react'
import type { Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { tooLarge } from '../text/file-problem-text.ts'
import type { Original } from './original-file.ts'
import type { OpenedFile } from './signed-file.ts'
import { FileRefused, runStep } from './signing-steps.ts'
import { signingFileProblems } from './signing-text.ts'

export type ChosenFile = { id: number; file: File; password: string } & (
  | { state: 'reading' }
  | ({ state: 'ready' } & OpenedFile & Pick<Original, 'sha256'>)
  /** `isWrong`: the one that was entered does not open it. */
  | { state: 'locked'; isWrong: boolean }
  | { state: 'refused'; problem: Text }
)
export type ReadyFile = Extract<ChosenFile, { state: 'ready' }>

const { files: most, bytes: largest } = limits.fileSigning

/** Manages the files that the customer has chosen, and reads each in a worker, one after another. They stay in the browser. */
export function useChosenFiles() {
  const [files, setFiles] = useState<readonly ChosenFile[]>([])
  const [problem, setProblem] = useState<Text>()
  const next = useRef(1)
  const queue = useRef(Promise.resolve())
  /** Ends the reading of a file that is removed, or of all when the page is left. */
  const readings = useRef(new Map<number, AbortController>())
  useEffect(() => () => stop(...readings.current.keys()), [])

  function stop(...ids: number[]) {
    for (const id of ids) {
      readings.current.get(id)?.abort()
      readings.current.delete(id)
    }
  }

  const replace = (changed: ChosenFile) =>
    setFiles((all) => all.map((each) => (each.id === changed.id ? changed : each)))

  function read(chosen: Pick<ChosenFile, 'id' | 'file' | 'password'>) {
    replace({ ...chosen, state: 'reading' })
    const reading = new AbortController()
    readings.current.set(chosen.id, reading)
    const inspect = async () => {
      const result = await inspectFile(chosen, reading.signal)
      if (result) replace(result)
    }
    queue.current = queue.current.then(inspect, inspect)
  }

  function add(list: FileList | null) {
    const added = [...(list ?? [])]
    if (!added.length) return
    if (files.length + added.length > most) {
      setProblem({ pl: `Możesz podpisać naraz do ${most} plików.`, en: `You can sign up to ${most} files at once.` })
      return
    }
    setProblem(undefined)
    const chosen = added.map((file) => ({ id: next.current++, file, password: '' }))
    setFiles((all) => [...all, ...chosen.map((each) => ({ ...each, state: 'reading' as const }))])
    for (const each of chosen) read(each)
  }

  return {
    files,
    problem,
    add,
    unlock: ({ id, file }: ChosenFile, password: string) => read({ id, file, password }),
    remove: (id: number) => {
      stop(id)
      setProblem(undefined)
      setFiles((all) => all.filter((each) => each.id !== id))
    },
    /** Marks a file that turned out not to be signable. */
    refuse: (id: number, why: Text) =>
      setFiles((all) =>
        all.map((each) => {
          const { file, password } = each
          return each.id === id ? { id, file, password, state: 'refused', problem: why } : each
        }),
      ),
    clear: () => setFiles([]),
  }
}

/** Inspects a chosen file; undefined if that was stopped. */
async function inspectFile(
  chosen: Pick<ChosenFile, 'id' | 'file' | 'password'>,
  stopped: AbortSignal,
): Promise<ChosenFile | undefined> {
  const { file, password } = chosen
  if (file.size > largest) return { ...chosen, state: 'refused', problem: tooLarge(file.size, largest) }
  try {
    return { ...chosen, state: 'ready', ...(await runStep('inspect', { file, password }, stopped)) }
  } catch (error) {
    if (stopped.aborted) return undefined
    if (!(error instanceof FileRefused)) throw error
    if (error.problem === 'wrong-password') return { ...chosen, state: 'locked', isWrong: password !== '' }
    return { ...chosen, state: 'refused', problem: signingFileProblems[error.problem] }
  }
}
