import { expect, test } from 'vitest'
import { phoneCountries } from '../../contract/rules/phone.ts'
import { drawFlag } from './flag-drawing.ts'
import { flags } from './flag-table.ts'

test('PHO-1 every country has a flag that can be drawn, or that of a country which has', () => {
  expect(Object.keys(flags).toSorted()).toEqual(phoneCountries().toSorted())
  for (const country of phoneCountries()) {
    const drawings = flags[country]
    if (drawings.startsWith('=')) {
      expect(flags[drawings.slice(1) as typeof country], country).not.toMatch(/^=/)
      continue
    }
    const paths = drawFlag(drawings)
    expect(paths.length, country).toBeGreaterThan(0)
    for (const [fill, d] of paths) {
      expect(fill, country).toMatch(/^#[0-9a-f]{3,6}$/)
      expect(d, country).toMatch(/^(?:[MhvazA\d\s.-]|e-)+$/)
    }
  }
})

test('PHO-1 two countries have the same drawing only where they have the same flag', () => {
  const same = Map.groupBy(phoneCountries(), (country) => flags[country])
  const shared = [...same]
    .filter(([drawings, countries]) => countries.length > 1 && !drawings.startsWith('='))
    .map(([, countries]) => countries)
  // Red over white; and blue, yellow and red with a coat of arms.
  expect(shared).toEqual([
    ['AD', 'MD'],
    ['ID', 'MC'],
  ])
})

test('stripes cover the flag, in the widths they are given', () => {
  expect(drawFlag('hwr').map(([, d]) => d)).toEqual(['M0 0h24v8h-24z', 'M0 8h24v8h-24z'])
  expect(drawFlag('h2ybr').map(([, d]) => d)).toEqual(['M0 0h24v8h-24z', 'M0 8h24v4h-24z', 'M0 12h24v4h-24z'])
  expect(() => drawFlag('zr1')).toThrow('unknown flag drawing zr1')
})
