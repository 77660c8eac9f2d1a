import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'
import type { Settings } from '../platform/settings.ts'
import { openCalls } from './calls.ts'
import { openTestPortal } from './portal-nodes.ts'
import { openTestProvider } from './provider.ts'
import { openRenewalPortal } from './samples/sample-renewals.ts'
import { makeWebPart } from './web-part.ts'

let closeLast: (() => Promise<unknown>) | undefined

/**
 * Closes what a test file has opened while it was loaded, one thing for each file. If a name filter skips all tests of a file,
 * vitest runs no `afterAll`; then the next file of the worker closes it.
 */
export async function closingWithFile<T>(open: () => Promise<T>, close: (opened: T) => Promise<unknown>): Promise<T> {
  await closeLast?.()
  const opened = await open()
  const closeOnce = () => {
    closeLast = undefined
    return close(opened)
  }
  closeLast = closeOnce
  afterAll(closeOnce)
  return opened
}

/** Opens a portal that is closed at the end of the test file. */
export const openPortal = (options?: Parameters<typeof openTestPortal>[0]) =>
  closingWithFile(
    () => openTestPortal(options),
    (portal) => portal.close(),
  )

/** Opens the portal of a test file, with a minimal web part. */
export async function openPortalWithPages(settings: Partial<Settings> = {}) {
  const web = makeWebPart()
  const portal = await openPortal({ settings: { webDirectory: web.directory, ...settings } })
  portal.cleanup.defer(web.remove)
  return { web, portal }
}

/** Opens a portal that is closed at the end of the test. */
export async function openPortalForTest(options?: Parameters<typeof openTestPortal>[0]) {
  const portal = await openTestPortal(options)
  onTestFinished(() => portal.close())
  return portal
}

/** Settings for tests that send more messages than one number or address may get. */
export const manySends = { sends: { perNumber: 1000, perAddress: 1000 } }

/** Opens the portal of a test file, with a provider. */
export async function openPortalWithProvider(options?: Parameters<typeof openPortal>[0]) {
  const portal = await openPortal(options)
  return { portal, provider: await openTestProvider(portal) }
}

/** Opens the portal of a test file, with calls of all its endpoints; its clock is stopped. */
export async function openPortalWithCalls(options?: Parameters<typeof openPortal>[0]) {
  const portal = await openPortal(options)
  return { portal, calls: await openCalls(portal) }
}

/** Opens the portal of a test file, with a provider that renews signatures. */
export const openPortalWithRenewals = (options?: Parameters<typeof openRenewalPortal>[0]) =>
  closingWithFile(
    () => openRenewalPortal(options),
    ({ close }) => close(),
  )

/** Makes a folder that is deleted after the tests of the file; `testFolder` makes one for a single test. */
export function folderOfFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
