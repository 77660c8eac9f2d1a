import type { Progress } from './import-journal.ts'

type ProgressOptions = { size: number; began: Progress; isTerminal: boolean; note: (text: string) => void }

const width = 24

/** A progress bar on a terminal; elsewhere, such as in a log, it prints nothing. */
export function progressLine({ size, began, isTerminal, note }: ProgressOptions) {
  const { offset, lines } = began
  const startedAt = performance.now()
  return {
    show(progress: Progress) {
      if (!isTerminal) return
      const seconds = (performance.now() - startedAt) / 1000
      const share = size ? progress.offset / size : 1
      const left = ((size - progress.offset) / Math.max(1, progress.offset - offset)) * seconds
      const bar = '█'.repeat(Math.round(share * width)).padEnd(width, '░')
      const parts = [
        `${bar} ${String(Math.floor(share * 100)).padStart(3)} %`,
        `${progress.lines.toLocaleString('en-GB')} lines`,
        `${Math.round((progress.lines - lines) / seconds).toLocaleString('en-GB')} a second`,
        ...(progress.refused ? [`${progress.refused.toLocaleString('en-GB')} refused`] : []),
        ...(share < 1 ? [`${durationText(left)} left`] : []),
      ]
      // Returns to the first column and clears the rest of the line.
      note(`\r${parts.join(' · ')}\u001b[K`)
    },
    end() {
      if (isTerminal) note('\n')
    },
  }
}

const durationText = (seconds: number) =>
  seconds < 60 ? `${Math.ceil(seconds)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
