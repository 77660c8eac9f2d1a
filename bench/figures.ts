import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'

/** One measured figure with its limit, from one run. */
export type Figure = {
  what: string
  value: number
  /** Unit of the value; absent for a ratio. */
  unit?: string
  limit?: { at: 'most' | 'least'; value: number }
  detail?: string
}

export const atMost = (value: number) => ({ at: 'most' as const, value })
export const atLeast = (value: number) => ({ at: 'least' as const, value })

export const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!

export const percentile = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!

const rounded = (value: number) =>
  Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2)

export const isWithinLimit = ({ value, limit }: Figure) =>
  !limit || (limit.at === 'most' ? value <= limit.value : value >= limit.value)

/** Reports the progress of a long measurement on standard error. */
export const progress = (text: string) => void process.stderr.write(`  ${text}\n`)

/** Measures the named parts, or all of them, and prints each figure with its limit; the exit code is 1 if one is beyond it. */
export async function runParts(parts: Record<string, () => Promise<Figure[]>>): Promise<void> {
  const names = process.argv.slice(2)
  const unknown = names.find((name) => !(name in parts))
  if (unknown) {
    process.stderr.write(`Unknown part ${unknown}; the parts are ${Object.keys(parts).join(', ')}.\n`)
    process.exitCode = 2
    return
  }
  printHead()
  let allWithin = true
  for (const [name, measure] of Object.entries(parts)) {
    if (names.length && !names.includes(name)) continue
    for (const figure of await measure()) {
      print(figure)
      allWithin &&= isWithinLimit(figure)
    }
  }
  process.stdout.write(
    allWithin ? '\nEvery figure is within its limit.\n' : '\nThe figures marked with ! are beyond their limits.\n',
  )
  process.exitCode = allWithin ? 0 : 1
}

/** Prints a figure as a line; a figure beyond its limit is marked. */
function print(figure: Figure): void {
  const { what, value, unit = '', limit, detail } = figure
  const bound = limit ? `  (at ${limit.at} ${limit.value})` : ''
  process.stdout.write(
    `${isWithinLimit(figure) ? ' ' : '!'} ${what.padEnd(56)} ${rounded(value).padStart(8)} ${unit}${bound}${detail ? `  ${detail}` : ''}\n`,
  )
}

/** Prints the date, commit and machine, without which a figure means nothing. */
function printHead(): void {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  const dirty = git('status', '--porcelain') ? ' with uncommitted changes' : ''
  const [cpu] = cpus()
  process.stdout.write(
    `${new Date().toISOString()}  commit ${git('rev-parse', '--short', 'HEAD')}${dirty}\n${cpus().length} × ${cpu?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}\n\n`,
  )
}
