import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentsOnDisk } from '../server/adapters/documents-disk.ts'
import { openTestPortal, type TestPortal } from '../server/testing/portal-nodes.ts'
import { makeCustomer, signInAs } from '../server/testing/browser.ts'
import { confirmAtOnce } from '../server/testing/confirmations.ts'
import { trustTestAuthorities } from '../server/testing/samples/sample-documents.ts'
import { killPoints, openKillTest } from '../server/testing/faults/kills.ts'
import { openProcess, reachedThrough } from '../server/testing/processes.ts'
import { atMost, type Figure, progress } from '../bench/figures.ts'
import { withTestPostgres } from '../bench/testing/postgres.ts'

const killsAtEach = 50
const rounds = 100
const atOnce = 100

async function withPortal<T>(postgres: string, work: (portal: TestPortal, folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-bench-faults-'))
  const portal = await openTestPortal({ postgres, ports: { documents: documentsOnDisk(folder) } })
  try {
    return await work(portal, folder)
  } finally {
    await portal.close()
    rmSync(folder, { recursive: true })
  }
}

function figureOf(what: string, wrong: string[]): Figure {
  for (const finding of new Set(wrong)) progress(finding)
  return { what, value: wrong.length, unit: 'wrong', limit: atMost(0) }
}

/** R53 at its full size: every point fifty times, each in a process of its own, on two portals side by side. */
export const measureKills = (): Promise<Figure[]> =>
  withTestPostgres(async (postgres) => {
    const waiting = Array.from({ length: killsAtEach }, () => killPoints).flat()
    let killed = 0
    const side = () =>
      withPortal(postgres, async (portal, folder) => {
        const { kill, findOrphansAfterAnHour } = await openKillTest(portal, folder)
        const wrong: string[] = []
        for (let point = waiting.pop(); point; point = waiting.pop()) {
          wrong.push(...(await kill(point)))
          if (++killed % 100 === 0) progress(`${killed} killed, ${wrong.length} wrong`)
        }
        return [...wrong, ...(await findOrphansAfterAnHour())]
      })
    const wrong = (await Promise.all([side(), side()])).flat()
    return [figureOf(`killed ${killsAtEach} times at each of ${killPoints.length} points`, wrong)]
  })

/** R51 at its full size, over two nodes that are processes. */
export const measureConfirmations = (): Promise<Figure[]> =>
  withTestPostgres((postgres) =>
    withPortal(postgres, async (portal, documents) => {
      await trustTestAuthorities(portal)
      const person = await makeCustomer(portal)
      const processes = await Promise.all([openProcess(portal, { documents }), openProcess(portal, { documents })])
      const both = reachedThrough(portal, processes)
      const browser = await signInAs(both, person)
      const wrong: string[] = []
      for (let round = 0; round < rounds; round++)
        wrong.push(...(await confirmAtOnce(both, { browser, person, howMany: atOnce })))
      await Promise.all(processes.map((node) => node.close()))
      return [figureOf(`${atOnce} confirmations of two files at once, ${rounds} rounds`, wrong)]
    }),
  )
