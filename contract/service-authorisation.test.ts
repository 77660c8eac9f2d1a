import { expect, test } from 'vitest'
import { ServiceCodesForm } from './service-authorisation.ts'

test.each([
  ['481072', '481072'],
  ['481 072', '481072'],
  ['481\u2013072.', '481072'],
  ['\u200b481\u00ad072\u00a0', '481072'],
  ['４８１０７２', '481072'],
  ['4\ufe0f\u20e381072', '481072'],
  [' aB-3 x# ', 'aB-3 x#'],
  ['12*34#', '12*34#'],
  ['\u200b - ', 'required'],
])('SGN-11 the service’s code %j is read as %j', (otp, expected) => {
  const { data, error } = ServiceCodesForm.safeParse({ otp })
  expect(data?.otp ?? error?.issues[0]?.message).toBe(expected)
})

test('SGN-12 a PIN is as it was typed', () => {
  for (const pin of ['12 34', ' ١٢', '12-34\u200b']) expect(ServiceCodesForm.parse({ pin })).toEqual({ pin })
})
