import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'

/** One measured figure beside its limit, from one run. */
export type Figure = {
  what: string
  value: number
  unit: string
  limit?: { at: 'most' | 'least'; value: number }
  detail?: string
}

export const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

export const percentile = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!

const shown = (value: number) =>
  Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2)

export const isWithinLimit = ({ value, limit }: Figure) =>
  !limit || (limit.at === 'most' ? value <= limit.value : value >= limit.value)

/** Prints a figure as a line; a figure beyond its limit is marked. */
export function print(figure: Figure): boolean {
  const { what, value, unit, limit, detail } = figure
  const good = isWithinLimit(figure)
  const bound = limit ? `  (at ${limit.at} ${limit.value})` : ''
  process.stdout.write(
    `${good ? ' ' : '!'} ${what.padEnd(56)} ${shown(value).padStart(8)} ${unit}${bound}${detail ? `  ${detail}` : ''}\n`,
  )
  return good
}

/** Date, commit and machine, without which a figure says nothing. */
export function printHead(): void {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  const dirty = git('status', '--porcelain') ? ' with uncommitted changes' : ''
  const [cpu] = cpus()
  process.stdout.write(
    `${new Date().toISOString()}  commit ${git('rev-parse', '--short', 'HEAD')}${dirty}\n${cpus().length} × ${cpu?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}\n\n`,
  )
}
