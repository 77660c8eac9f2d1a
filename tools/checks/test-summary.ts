import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { JsonTestResults } from 'vitest/node'

/**
 * Returns the end of a test run's output: the failures, each with the first lines of its reason, and a line of counts. A file that failed
 * before its tests could run counts as one failed test.
 */
function summarise({ testResults, numPassedTests, numPendingTests, numTodoTests }: JsonTestResults) {
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    if (status === 'failed' && assertionResults.length === 0) return [{ name, title: 'cannot be loaded', message }]
    const failed = assertionResults.filter((result) => result.status === 'failed')
    return failed.map(({ fullName: title, failureMessages: all }) => ({ name, title, message: all?.join('\n') }))
  })
  const skipped = numPendingTests + numTodoTests
  const lines = failures.map(({ name, title, message = '' }) => {
    const reason = message.split('\n').slice(0, 12).join('\n  ')
    return `FAILED ${relative('.', name)} > ${title.trim()}\n  ${reason}`
  })
  const counts = `${numPassedTests} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
  return { text: [...lines, counts].join('\n'), ok: failures.length === 0 && numPassedTests > 0 }
}

if (import.meta.main) {
  const { text, ok } = summarise(JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as JsonTestResults)
  console.log(text)
  if (!ok) process.exitCode = 1
}
