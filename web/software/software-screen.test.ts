import { expect, test } from 'vitest'
import type { Platform } from '../../contract/software.ts'
import { byPlatform, platformOf } from './software-screen.tsx'

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36', 0, 'windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15', 0, 'macos'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15', 5, 'ios'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15', 5, 'ios'],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/150.0.0.0 Mobile Safari/537.36', 5, 'android'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 0, 'linux'],
  ['curl/8', 0, undefined],
] as const)('SOF-1 %s with %i touch points is %s', (userAgent, maxTouchPoints, platform) => {
  expect(platformOf({ userAgent, maxTouchPoints })).toBe(platform)
})

test('SOF-1 the visitor’s platform comes first and platforms without a program are left out', () => {
  const releases = (['android', 'windows', 'linux', 'windows'] satisfies Platform[]).map((platform) => ({ platform }))
  const groups = byPlatform(releases, 'linux').map(({ platform, own, releases: { length } }) => ({
    platform,
    own,
    length,
  }))
  expect(groups).toEqual([
    { platform: 'linux', own: true, length: 1 },
    { platform: 'windows', own: false, length: 2 },
    { platform: 'android', own: false, length: 1 },
  ])
  expect(byPlatform(releases, undefined).every(({ own }) => !own)).toBe(true)
})
