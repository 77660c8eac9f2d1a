import { expect, test } from 'vitest'
import { exhaustive } from '../testing/breadth.ts'
import { openPortal } from '../testing/open-portal.ts'
import { killPoints, nameOfPoint, openKillTest } from '../testing/faults/kills.ts'

const portal = await openPortal({ comparesPages: false })

/** Before and after each write; all 24 points in `npm run test:all`. */
const few = ['stage: after rename', 'confirm: before commit', 'confirm: after commit']

test('R53 a process that is killed at a marked point leaves an upload that can be retried or was accepted once, and no orphan after an hour', async () => {
  const { kill, findOrphansAfterAnHour } = await openKillTest(portal, portal.documentsFolder)
  const points = killPoints.filter((point) => exhaustive || few.includes(nameOfPoint(point)))
  expect(points).toHaveLength(exhaustive ? 24 : few.length)
  for (const point of points) expect(await kill(point)).toEqual([])
  expect(await findOrphansAfterAnHour()).toEqual([])
}, 900_000)
