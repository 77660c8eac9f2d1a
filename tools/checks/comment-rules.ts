import { parseSync } from 'vite'
import { lineAt, type Source } from './source-tree.ts'

/** A name that only code can have: one with a capital inside, or that of a called function. */
const codeNames = [/^([a-z]+[a-z\d]*[A-Z]\w*)$/, /^(?:[^()]*[ .])?([a-z]\w*)\(/]
/** The class of a part of a block. */
const className = /^[a-z][a-z-]*__[a-z-]+$/

/** Finds comments that name an identifier that no program has, or a class that no style sheet has, as after a renaming. */
export function commentProblems(sources: Source[], styles: string[]): string[] {
  const read = sources.map((source) => ({ source, comments: parseSync(source.path, source.text).comments }))
  const known = new Set(
    read.flatMap(({ source, comments }) => withoutComments(source.text, comments).match(/\w+/g) ?? []),
  )
  const classes = new Set(styles.flatMap((text) => text.match(/(?<=\.)[a-z][\w-]*/g) ?? []))
  return read.flatMap(({ source: { path, text }, comments }) =>
    comments.flatMap(({ value, start }) =>
      Array.from(value.matchAll(/`([^`]+)`/g), ([, quoted = '']) => quoted)
        .filter((quoted) => {
          if (className.test(quoted)) return !classes.has(quoted)
          const name = codeNames.map((pattern) => pattern.exec(quoted)?.[1]).find(Boolean)
          return name !== undefined && !known.has(name)
        })
        .map((quoted) => `${path}:${lineAt(text, start)} names ${quoted}, which does not exist`),
    ),
  )
}

function withoutComments(text: string, comments: { start: number; end: number }[]): string {
  const starts = [0, ...comments.map(({ end }) => end)]
  return starts.map((from, i) => text.slice(from, comments[i]?.start)).join(' ')
}
