import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { colourNames, type Brand } from '../../../contract/page-config.ts'
import { testFile } from '../../../pki/testing/peer-programs.ts'
import { appManifest, iconPath, maskableIcon, ownIcons } from '../pages/app-files.ts'
import { readBrandFile } from './brand-file.ts'
import { demonstrationBrand } from './brand.ts'
import { contrast, contrastFaults, coloursOf, markPath, plainColours, themeSheet } from './theme.ts'

const root = join(import.meta.dirname, '../../..')
const examples = join(root, 'docs/examples')
const read = (file: string) => {
  const mistakes: string[] = []
  const brand = readBrandFile(file, mistakes, [])
  return { brand, mistakes }
}
const wawel = read(join(examples, 'wawel-brand.json')).brand!

test('the colours that a provider may replace are those of the sheet, and a sheet of its own sets each of them', () => {
  const tokens = readFileSync(join(root, 'web/styles/tokens.css'), 'utf8')
  for (const name of colourNames) expect(tokens).toContain(`--${name}: ${plainColours[name].toLowerCase()};`)
  expect(themeSheet(demonstrationBrand)).toBeUndefined()
  const sheet = themeSheet(wawel)!
  for (const name of colourNames) expect(sheet).toContain(`--${name}:${coloursOf(wawel)[name]}`)
  expect(sheet.match(/--lit-[abc]:#[\da-f]{6}/g)).toHaveLength(3)
})

test('contrast is that of WCAG 2.2', () => {
  expect(contrast('#000000', '#FFFFFF')).toBeCloseTo(21, 5)
  expect(contrast('#FFFFFF', '#FFFFFF')).toBe(1)
  expect(contrast('#FFFFFF', '#114B63')).toBeCloseTo(9.5, 1)
  expect(contrast('#526775', '#E8EFF0')).toBeCloseTo(5.1, 1)
  expect(contrast('#6B7F8A', '#F2F6F6')).toBeCloseTo(3.8, 1)
})

test('a palette is refused with a message for each pair, its contrast and the one needed; both our own pass', () => {
  expect(contrastFaults(plainColours)).toEqual([])
  expect(contrastFaults(coloursOf(wawel))).toEqual([])
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
  const path = markPath(wawel)!
  expect(path).toMatch(/^\/brand\/mark-[\da-f]{16}\.svg$/)
  expect(markPath({ ...wawel, mark: `${wawel.mark} ` })).not.toBe(path)
})

const sizesOf = ({ icons }: ReturnType<typeof appManifest>) => icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)

test('OFF-4 the manifest has the names, colours and icons of the brand, in each language', () => {
  const polish = appManifest(demonstrationBrand, 'pl', '/maskable.svg')
  expect(polish).toMatchObject({ name: 'Sygnet', lang: 'pl', start_url: '/home', scope: '/', display: 'standalone' })
  const sources = ['/icon-192.png', '/icon-512.png', '/favicon.svg', '/maskable.svg']
  expect(polish.icons.map(({ src }) => src)).toEqual(sources)
  const english = appManifest(wawel, 'en', '/maskable.svg')
  expect(english).toMatchObject({ id: polish.id, name: 'Wawel ID', start_url: '/en/home', theme_color: '#3E1F4A' })
  expect(sizesOf(english)).toEqual(['192x192 any', '512x512 any', 'any any', 'any maskable'])
  expect(english.icons[0]!.src).toMatch(/^\/brand\/icon-192-[\da-f]{16}\.png$/)
})

test('OFF-4 a provider with a mark and without icons has no icon of ours', () => {
  const { icons: _, ...bare } = wawel
  expect(sizesOf(appManifest(bare, 'pl', '/maskable.svg'))).toEqual(['any any', 'any maskable'])
  expect(iconPath(bare, 180)).toBeUndefined()
  expect(ownIcons(bare)).toEqual([])
})

test('OFF-4 our own PNG icons have the sizes of their names', () => {
  for (const size of [180, 192, 512]) {
    const file = readFileSync(join(root, `web/static/icon-${size}.png`))
    expect([file.readUInt32BE(16), file.readUInt32BE(20)]).toEqual([size, size])
    expect(file.length).toBeLessThan(40_000)
  }
})

test('OFF-4 the maskable icon has the mark within its safe zone, whatever size the mark names itself', () => {
  const mark = `<svg xmlns="http://www.w3.org/2000/svg" width='9' viewBox="0 0 40 40" height="9"><path d="M0 0" width="3"/></svg>`
  expect(maskableIcon(mark).content.toString()).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" fill="#F2F6F6"/>' +
      '<svg x="22" y="22" width="56" height="56" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><path d="M0 0" width="3"/></svg></svg>',
  )
})

test('OFF-4 an icon that is missing, of another size, no PNG or too large is reported', () => {
  const picture = (size: number) => readFileSync(join(examples, `wawel-icon-${size}.png`))
  const mistakesOf = (icons: Brand['icons']) =>
    read(testFile(JSON.stringify({ ...demonstrationBrand, icons }))).mistakes
  const good = { 180: testFile(picture(180)), 192: testFile(picture(192)), 512: testFile(picture(512)) }
  expect(mistakesOf(good)).toEqual([])
  expect(mistakesOf({ ...good, 180: good[192], 192: 'none.png' })).toEqual([
    'BRAND_FILE: icons.180 is not a PNG of 180 × 180 pixels',
    'BRAND_FILE: icons.192 cannot be read (ENOENT)',
  ])
  const padded = Buffer.concat([picture(512), Buffer.alloc(65_536)])
  expect(mistakesOf({ ...good, 192: testFile('<svg'), 512: testFile(padded) })).toEqual([
    'BRAND_FILE: icons.192 is not a PNG of 192 × 192 pixels',
    'BRAND_FILE: icons.512 is larger than 65536 bytes',
  ])
})
