import { readFileSync } from 'node:fs'

/** The part of vitest's JSON report that is needed here. */
export type Report = {
  numPassedTests: number
  numFailedTests: number
  /** Skipped ones. */
  numPendingTests: number
  numTodoTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}

/** One plain closing line of a test run. A file that failed before its tests could run counts as one failed test. */
export function summarise(report: Report): { line: string; ok: boolean } {
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length
  const failed = report.numFailedTests + broken
  const skipped = report.numPendingTests + report.numTodoTests
  const line = `${report.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
  return { line, ok: failed === 0 && report.numPassedTests > 0 }
}

if (import.meta.main) {
  const { line, ok } = summarise(JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Report)
  console.log(line)
  if (!ok) process.exitCode = 1
}
