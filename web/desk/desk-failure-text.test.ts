import { expect, test } from 'vitest'
import type { FailureCode } from '../calls/api.ts'
import { failureText } from '../text/failure-text.ts'
import { deskFailureText, linkTooEarly } from './desk-failure-text.ts'

type Modules = Record<string, Record<string, unknown>>
const ofDesk: Modules = import.meta.glob('../../contract/desk/*.ts', { eager: true })
const all: Modules = import.meta.glob(['../../contract/**/*.ts', '!**/*.test.ts'], { eager: true })

/** Returns the failures that the calls of some modules declare. */
function declaredIn(modules: Modules) {
  const errors = Object.values(modules).flatMap((module) =>
    Object.values(module).flatMap((value) => {
      const { errors: declared } = (value ?? {}) as { errors?: unknown }
      return Array.isArray(declared) ? (declared as FailureCode[]) : []
    }),
  )
  return new Set(errors)
}

test('DSK-5 no failure at the desk speaks to a customer', () => {
  const [ofStaff, ofAll] = [declaredIn(ofDesk), declaredIn(all)]
  expect(ofStaff).toContain('resend-too-early')
  // What no call declares, each can return.
  const codes = (Object.keys(failureText) as FailureCode[]).filter((code) => ofStaff.has(code) || !ofAll.has(code))
  const texts = { ...failureText, ...deskFailureText }
  const said = codes.map((code) => [code, texts[code].pl, texts[code].en] as const)
  const forCustomers = /zadzwoń|call us|\bkodu?\b|\bcode\b/i
  expect(said.filter((each) => each.slice(1).some((text) => forCustomers.test(text)))).toEqual([])
  expect(linkTooEarly.en).toContain('link')
})
