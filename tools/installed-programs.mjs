// Plain JavaScript, because tools/setup.mjs runs it on any Node that starts npm.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const browsers = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Finds the Chromium that tests, pictures and benchmarks use: BROWSER_PATH, or the first one found where systems keep it. */
export const browserPath = () => process.env.BROWSER_PATH || browsers.find((path) => existsSync(path))

/** Checks whether a program can be called by its name. */
export const isInstalled = (program) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, program)))
