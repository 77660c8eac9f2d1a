import { expect, test } from 'vitest'
import { DeliveryFailed } from '../ports.ts'
import { openFailedTries } from '../operations/background-reports.ts'

const failed = (id: string, isPermanent = false) => ({
  id,
  channel: 'mail' as const,
  tries: 1,
  isPermanent,
  message: { channel: 'sms' as const, to: '+48501000001', text: 'code' },
})

test('OPS-16 a cause is logged once a minute for all messages of a channel, with the number of the others; permanent failures always', () => {
  const lines: unknown[] = []
  let now = 0
  const note: Parameters<typeof openFailedTries>[0] = ({ id, skipped }, problem) => lines.push([id, skipped, problem])
  const log = openFailedTries(note, () => now)
  const down = new DeliveryFailed('down', false)
  for (const id of ['a', 'b', 'c']) log(failed(id), down)
  log(failed('d'), new DeliveryFailed('refused', false))
  now = 59_999
  log(failed('e'), down)
  const first = [
    ['a', 0, 'down'],
    ['d', 0, 'refused'],
  ]
  expect(lines).toEqual(first)
  log(failed('f', true), down)
  now = 120_000
  log(failed('g'), down)
  expect(lines).toEqual([...first, ['f', 3, 'down'], ['g', 0, 'down']])
})

test('OPS-16 R86 an error other than a failed delivery is logged without its text, and nothing of the message', () => {
  const lines: unknown[] = []
  openFailedTries((...line) => lines.push(line))(failed('a'), new TypeError('KANAREK'))
  expect(lines).toEqual([
    [{ id: 'a', channel: 'mail', tries: 1, isPermanent: false, skipped: 0 }, 'an unexpected error'],
  ])
})
