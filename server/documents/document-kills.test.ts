import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { documentsOnDisk } from '../ports/documents-disk.ts'
import { exhaustive } from '../testing/breadth.ts'
import { openPortal } from '../testing/open-portal.ts'
import { killPoints, nameOfPoint, openKilling } from '../testing/kills.ts'

const folder = mkdtempSync(join(tmpdir(), 'sygnet-kills-'))
const portal = await openPortal({ comparesPages: false, ports: { documents: documentsOnDisk(folder) } })
afterAll(async () => {
  rmSync(folder, { recursive: true })
})

/** Before and after each thing that is kept; all 24 points in `npm run test:all`, fifty times each in `npm run bench -- kills`. */
const few = ['stage: after rename', 'confirm: before commit', 'confirm: after commit']

test('R53 a process that is killed at a marked point leaves an upload that can be tried again or was taken once, and within the hour nothing else', async () => {
  const { kill, leftAfterAnHour } = await openKilling(portal, folder)
  const points = killPoints.filter((point) => exhaustive || few.includes(nameOfPoint(point)))
  expect(points).toHaveLength(exhaustive ? 24 : few.length)
  for (const point of points) expect(await kill(point)).toEqual([])
  expect(await leftAfterAnHour()).toEqual([])
}, 900_000)
