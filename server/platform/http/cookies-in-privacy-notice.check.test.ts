import { expect, test } from 'vitest'
import { locales } from '../../../contract/enums.ts'
import { privacySections } from '../../../contract/legal/privacy-text.ts'
import { sectionsIn } from '../../../contract/legal/legal-sections.ts'
import { deviceCookie } from '../authentication/devices.ts'
import { sessionCookie } from '../authentication/session.ts'
import { demonstrationBrand } from '../brand/brand.ts'
import { visitorCookie } from '../authentication/passkey-challenges.ts'
import { pendingSignOutCookie } from '../../../contract/pending-sign-out.ts'

test.each(locales)('REG-7 the privacy notice in %s names every cookie that the portal sets', (locale) => {
  const { body } = sectionsIn(locale, privacySections(demonstrationBrand)).at(-1)!
  const named = body.flat().map((part) => part.split(' ')[0])
  for (const cookie of [sessionCookie, deviceCookie, visitorCookie, pendingSignOutCookie, 'locale'])
    expect(named).toContain(cookie)
})
