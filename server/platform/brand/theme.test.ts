import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { colourNames } from '../../../contract/page-config.ts'
import { readBrandFile } from './brand-file.ts'
import { demonstrationBrand } from './brand.ts'
import { contrast, contrastFaults, coloursOf, markPath, plainColours, themeSheet } from './theme.ts'

const root = join(import.meta.dirname, '../../..')
const wawel = () => {
  const mistakes: string[] = []
  const brand = readBrandFile(join(root, 'docs/examples/wawel-brand.json'), mistakes, [])
  expect(mistakes).toEqual([])
  return brand!
}

test('the colours that a provider may replace are those of the sheet, and a sheet of its own sets each of them', () => {
  const tokens = readFileSync(join(root, 'web/styles/tokens.css'), 'utf8')
  for (const name of colourNames) expect(tokens).toContain(`--${name}:${plainColours[name]};`)
  expect(themeSheet(demonstrationBrand)).toBeUndefined()
  const sheet = themeSheet(wawel())!
  for (const name of colourNames) expect(sheet).toContain(`--${name}:${coloursOf(wawel())[name]}`)
  expect(sheet.match(/--lit-[abc]:#[\da-f]{6}/g)).toHaveLength(3)
})

test('contrast is that of WCAG 2.2, as measured in ux.md §4.1', () => {
  expect(contrast('#000000', '#FFFFFF')).toBeCloseTo(21, 5)
  expect(contrast('#FFFFFF', '#FFFFFF')).toBe(1)
  expect(contrast('#FFFFFF', '#114B63')).toBeCloseTo(9.5, 1)
  expect(contrast('#526775', '#E8EFF0')).toBeCloseTo(5.1, 1)
  expect(contrast('#6B7F8A', '#F2F6F6')).toBeCloseTo(3.8, 1)
})

test('a palette is refused with a message for each pair, its contrast and the one needed; both our own pass', () => {
  expect(contrastFaults(plainColours)).toEqual([])
  expect(contrastFaults(coloursOf(wawel()))).toEqual([])
  expect(contrastFaults({ ...plainColours, 'brand-700': '#F08A24' })).toEqual([
    'white (#FFFFFF) on brand-700 (#F08A24) reaches a contrast of 2.51, and 7 is needed',
    'brand-700 (#F08A24) on paper (#F2F6F6) reaches a contrast of 2.3, and 4.5 is needed',
    'brand-700 (#F08A24) on brand-100 (#D8E8ED) reaches a contrast of 1.99, and 4.5 is needed',
  ])
  // Just below the 7 that is needed, and never shown as 7.
  const near = { ...plainColours, 'brand-800': '#59595A' }
  expect(contrastFaults(near)).toEqual([expect.stringContaining('contrast of 6.9')])
  // The text next to the form has a gradient of all three behind it.
  const shaded = { 'brand-900': '#050515', 'brand-800': '#565656', 'brand-700': '#0A0A2A', 'brand-100': '#9A9A9A' }
  expect(contrastFaults({ ...plainColours, ...shaded })).toEqual([
    expect.stringContaining('brand-100 (#9A9A9A) on brand-800 (#565656)'),
  ])
  for (const name of colourNames) {
    const dark = ['brand-100', 'brand-50'].includes(name)
    expect(contrastFaults({ ...plainColours, [name]: dark ? '#202020' : '#F4F4F4' })).not.toEqual([])
  }
})

test('a mark has its hash in its path, so that another one is fetched', () => {
  expect(markPath(demonstrationBrand)).toBeUndefined()
  const path = markPath(wawel())!
  expect(path).toMatch(/^\/brand\/mark-[\da-f]{16}\.svg$/)
  expect(markPath({ ...wawel(), mark: `${wawel().mark} ` })).not.toBe(path)
})
