import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A code block of a guide, without the indent of an enclosing list; `section` is the heading above it. */
export type GuideBlock = { guide: string; section: string; language: string; lines: string[] }

export const readGuide = (guide: string) => readFileSync(join(import.meta.dirname, '../..', guide), 'utf8')

export function blocksOf(guide: string, ...languages: string[]): GuideBlock[] {
  const text = readGuide(guide)
  return [...text.matchAll(/^( *)```(\w*)\n([^]*?)\n *```$/gm)]
    .filter(([, , language = '']) => languages.includes(language))
    .map(({ index, 1: indent = '', 2: language = '', 3: content = '' }) => ({
      guide,
      section: /^## (.*)\n(?![^]*^## )/m.exec(text.slice(0, index))?.[1] ?? '',
      language,
      lines: content.split('\n').map((line) => line.slice(indent.length)),
    }))
}

/** Checks whether a block only exports settings, which the reader changes. */
export const isSettings = ({ lines }: Pick<GuideBlock, 'lines'>) => lines.every((line) => line.startsWith('export '))
