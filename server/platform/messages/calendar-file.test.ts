import { expect, test } from 'vitest'
import { calendarFile } from './calendar-file.ts'

test('REN-9 SIG-5 a calendar file reminds at the event, or as many hours before it as given', () => {
  const event = {
    uid: 'event-1',
    at: new Date(0),
    writtenAt: new Date(0),
    summary: 's',
    description: 'd',
    url: 'https://x.example',
  }
  const triggers = (alarms?: readonly number[]) =>
    calendarFile([{ ...event, ...(alarms && { alarms }) }])
      .toString()
      .match(/TRIGGER:.*/g)!
      .map((line) => line.trim())
  expect(triggers()).toEqual(['TRIGGER:PT0S'])
  expect(triggers([168, 24])).toEqual(['TRIGGER:-PT168H', 'TRIGGER:-PT24H'])
})

test('REN-9 a calendar file keeps to 75 octets a line in any language, and has its whole text when unfolded', () => {
  const description = 'Zażółć, gęślą; jaźń\\i\nnową linię '.repeat(6).trim()
  const file = calendarFile([
    {
      uid: 'renewal-1@portal.example',
      at: new Date('2026-12-03T13:20:01.000Z'),
      writtenAt: new Date('2026-11-21T10:00:00.500Z'),
      summary: 'Połącz nowy podpis z aplikacją',
      description,
      url: 'https://portal.example/renewal/1',
    },
  ]).toString()
  expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true)
  for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  const unfolded = file.replaceAll('\r\n ', '')
  expect(unfolded).toContain('\r\nDTSTART:20261203T132001Z\r\n')
  expect(unfolded).toContain('\r\nDTSTAMP:20261121T100000Z\r\n')
  const written = /\r\nDESCRIPTION:(.*)\r\nURL/.exec(unfolded)![1]!
  expect(written.replace(/\\([\\;,n])/g, (_, sign: string) => (sign === 'n' ? '\n' : sign))).toBe(description)
})
