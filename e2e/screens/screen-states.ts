import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pages, type Page } from '../../contract/pages.ts'
import type { ScreenState } from './screen-state.ts'

type StatesFile = { states: ScreenState[] }

const written: ScreenState[] = await Promise.all(
  globSync('*-states.ts', { cwd: import.meta.dirname, exclude: ['screen-states.ts'] })
    .toSorted()
    .map((file) => import(join(import.meta.dirname, file)) as Promise<StatesFile>),
).then((files) => files.flatMap((file) => file.states))

/** Pages for signed-in customers without a state in any file are shown as the demonstration's first customer sees them. */
const unwritten = Object.entries<Page>(pages).filter(
  ([, { path, needsSignIn }]) =>
    needsSignIn && !path.includes(':') && !written.some((state) => state.path.split('?')[0] === path),
)

/** Every page, dialog and state that the demonstration can reach: the files `*-states.ts` of this folder, and pages in none of them. */
export const screenStates: ScreenState[] = [
  ...written,
  ...unwritten.map(([name, { path }]) => ({ name: `${name}--page`, path, customer: 'oliver' })),
]
