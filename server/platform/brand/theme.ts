import { hash } from 'node:crypto'
import { colourNames, type Brand, type ColourName } from '../../../contract/page-config.ts'

export type Colours = Record<ColourName, string>

/** The colours of web/styles/tokens.css that a provider may replace. */
export const plainColours: Colours = {
  'brand-900': '#0A2A3B',
  'brand-800': '#0D3A50',
  'brand-700': '#114B63',
  'brand-600': '#18607C',
  'brand-100': '#D8E8ED',
  'brand-50': '#EAF3F5',
  lak: '#8E1F33',
  'iris-a': '#23827F',
  'iris-b': '#3A6AA6',
  'iris-c': '#7455A2',
}

export const coloursOf = (brand: Pick<Brand, 'colours'>): Colours => Object.assign({}, plainColours, brand.colours)

/** Colours that a provider cannot replace. */
const fixed = {
  white: '#FFFFFF',
  ink: '#0E2433',
  'ink-3': '#526775',
  paper: '#F2F6F6',
  sunken: '#E8EFF0',
  control: '#6B7F8A',
  focus: '#1457D9',
  'focus on dark': '#FFD666',
}

type Name = ColourName | keyof typeof fixed

/** Foreground, background and the contrast needed, at least that of WCAG 2.2 §1.4.3 and §1.4.11. */
const pairs: readonly (readonly [Name, Name, number])[] = [
  ['white', 'brand-700', 7],
  ['white', 'brand-800', 7],
  ['white', 'brand-900', 7],
  ['brand-700', 'paper', 4.5],
  ['brand-600', 'paper', 4.5],
  ['brand-700', 'brand-100', 4.5],
  ['brand-100', 'brand-800', 4.5],
  ['brand-100', 'brand-900', 4.5],
  ['ink', 'brand-100', 4.5],
  ['ink', 'brand-50', 4.5],
  ['ink-3', 'brand-50', 4.5],
  ['ink-3', 'sunken', 4.5],
  ['control', 'paper', 3],
  ['focus', 'paper', 3],
  ['focus on dark', 'brand-900', 3],
  ['white', 'lak', 3],
  ['lak', 'paper', 3],
  ['iris-a', 'sunken', 3],
  ['iris-b', 'sunken', 3],
  ['iris-c', 'sunken', 3],
]

/** Returns a message for each pair of these colours with too little contrast. */
export function contrastFaults(colours: Colours): string[] {
  const all: Record<Name, string> = { ...fixed, ...colours }
  return pairs.flatMap(([front, ground, needed]) => {
    const reached = contrast(all[front], all[ground])
    if (reached >= needed) return []
    // Rounded down, or 6.96 would be shown as 7.
    const shown = Math.floor(reached * 100) / 100
    return [
      `${front} (${all[front]}) on ${ground} (${all[ground]}) reaches a contrast of ${shown}, and ${needed} is needed`,
    ]
  })
}

const channelsOf = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)

/** Computes the contrast ratio of two colours from their relative luminance (WCAG 2.2). */
export function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string) {
  const [r = 0, g = 0, b = 0] = channelsOf(colour).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Mixes a colour with paper; `share` is the part of the colour that stays. */
export const mixWithPaper = (colour: string, share: number): string =>
  `#${channelsOf(colour)
    .map((c) =>
      Math.round((c * share + 1 - share) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

/** Writes the style sheet of a provider's own colours, which every page has after its own; undefined without such colours. */
export function themeSheet(brand: Brand): string | undefined {
  if (!brand.colours) return undefined
  const colours = coloursOf(brand)
  const tokens = [
    ...colourNames.map((name) => [name, colours[name]]),
    // The line art of the signed-out pages has brand-900 behind it.
    ...(['a', 'b', 'c'] as const).map((name) => [`lit-${name}`, mixWithPaper(colours[`iris-${name}`], 0.55)]),
  ]
  return `:root{${tokens.map(([name, colour]) => `--${name}:${colour}`).join(';')}}`
}

/** Returns the path of a file of the brand. It contains the hash of the file, so it may be cached for ever. */
export const brandPath = (name: string, end: string, content: string | Buffer) =>
  `/brand/${name}-${hash('sha256', content).slice(0, 16)}.${end}`

export const markPath = ({ mark }: Brand): string | undefined => mark && brandPath('mark', 'svg', mark)
