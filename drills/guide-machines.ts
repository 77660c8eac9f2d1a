import { blocksOf, isSettings, type GuideBlock } from '../tools/checks/guide-blocks.ts'
import type { Machine } from './machines.ts'

const guide = 'docs/guides/operate.md'

/** Where a block says that it runs, in its first line. */
const places = ["the database's machine", 'each node', 'one node after another', 'one node', 'the proxy'] as const
type Place = (typeof places)[number]

export type Machines = { database: Machine; nodes: readonly [Machine, Machine]; proxy: Machine }

/** What the guide's text asks for between its blocks, before the block that contains `before`. */
export type ProseStep = {
  section: string
  before: string
  what: string
  work: (machines: Machines) => void | Promise<void>
}

export type Step = <T>(what: string, work: () => Promise<T>) => Promise<T>

/** Where a block runs, and what. */
export function placeOf({ language, lines }: GuideBlock): { place: Place; commands: string[] } {
  // Its text says that an administrator of PostgreSQL runs it.
  if (language === 'sql')
    return {
      place: "the database's machine",
      commands: ["runuser -u postgres -- psql --set=ON_ERROR_STOP=1 --quiet << 'SQL'", ...lines, 'SQL'],
    }
  const place = places.find((name) => lines[0] === `# on ${name}` || lines[0]?.startsWith(`# on ${name}, `))
  if (!place) throw new Error(`A block of ${guide} does not say where it runs: ${lines[0]}`)
  return { place, commands: lines.slice(1) }
}

/** They need Docker or a cluster; the drill runs the image by `image-run.ts`. */
const elsewhere = ['Containers', 'Kubernetes']

/** The blocks that are commands, in the order of the guide. */
export const operatorBlocks = () => blocksOf(guide, 'sh', 'sql').filter(({ section }) => !elsewhere.includes(section))

/** The blocks of the guide, to be run section by section; all of them must have been run in the end. */
export function openGuide(machines: Machines, step: Step) {
  const blocks = operatorBlocks()
  const left = new Set(blocks.filter((block) => !isSettings(block)))
  const machinesAt: Record<Place, readonly Machine[]> = {
    "the database's machine": [machines.database],
    'each node': machines.nodes,
    'one node after another': machines.nodes,
    'one node': [machines.nodes[0]],
    'the proxy': [machines.proxy],
  }

  /** Runs the blocks of a section in their order, with values in place of the guide's, and what its text asks for in between. */
  async function run(
    section: string,
    values: readonly (readonly [RegExp, string])[],
    proseSteps: readonly ProseStep[] = [],
  ) {
    const open = new Set(proseSteps.filter((proseStep) => proseStep.section === section))
    const settings: string[] = []
    for (const block of blocks) {
      if (isSettings(block)) settings.push(...block.lines)
      if (!left.has(block) || block.section !== section) continue
      left.delete(block)
      const { place, commands } = placeOf(block)
      let text = commands.join('\n')
      for (const proseStep of open)
        if (text.includes(proseStep.before)) {
          open.delete(proseStep)
          await step(proseStep.what, async () => proseStep.work(machines))
        }
      for (const [pattern, value] of values) text = text.replace(pattern, value)
      // Packages come through the network outside; everything else must do without it.
      const isApt = (line: string) => line.startsWith('apt-get ')
      const apt = text.split('\n').filter(isApt)
      const rest = text.split('\n').filter((line) => !isApt(line))
      const runOn = (machine: Machine) =>
        step(`${machine.name}: ${shortened(commands)}`, async () => {
          if (apt.length) await machine.run(apt.join('\n'), 'outside')
          return machine.run([...settings, ...rest].join('\n'))
        })
      // One after another, as one operator does it; the drill's S3 server fails where two nodes write and delete at once.
      for (const machine of machinesAt[place]) await runOn(machine)
    }
    if (open.size) throw new Error(`No block of ${section} has ${[...open].map(({ before }) => before).join(', ')}.`)
  }

  return {
    run,
    /** The guide has no block that was not run. */
    requireDone() {
      if (left.size)
        throw new Error(
          `Not run: ${[...left].map(({ section, lines }) => `${section}: ${lines.join(' ')}`).join('\n')}`,
        )
    },
  }
}

/** Its commands in one line, cut where a line of the drill becomes too long. */
function shortened(commands: readonly string[]): string {
  const line = commands.join('; ')
  return line.length > 150 ? `${line.slice(0, 149)}…` : line
}
