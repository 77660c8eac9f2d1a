import { expect, test } from 'vitest'
import { momentOf, parseCalendar, textOf } from '../../testing/calendar-reader.ts'
import { calendarFile } from './calendar-file.ts'

test('REN-9 SIG-5 a calendar file reminds at the event, or as many hours before it as given', () => {
  const texts = { uid: 'event-1', summary: 's', description: 'd', url: 'https://x.example' }
  const event = { ...texts, at: new Date(0), writtenAt: new Date(0) }
  const triggers = (alarms?: readonly number[]) => {
    const file = calendarFile([{ ...event, ...(alarms && { alarms }) }]).toString()
    return file.match(/TRIGGER:.*/g)!.map((line) => line.trim())
  }
  expect(triggers()).toEqual(['TRIGGER:PT0S'])
  expect(triggers([168, 24])).toEqual(['TRIGGER:-PT168H', 'TRIGGER:-PT24H'])
})

test('REN-9 a calendar file keeps to 75 octets a line in any language, and has its whole text when unfolded', () => {
  const event = {
    uid: 'renewal-1@portal.example',
    at: new Date('2026-12-03T13:20:01.000Z'),
    writtenAt: new Date('2026-11-21T10:00:00.500Z'),
    summary: 'Połącz nowy podpis z aplikacją, teraz; \\ albo później',
    description: 'Zażółć, gęślą; jaźń\\i\nnową linię '.repeat(6).trim(),
    url: 'https://portal.example/renewal/1',
  }
  const [read, ...others] = parseCalendar(calendarFile([event])).parts
  expect(others).toEqual([])
  const valueOf = (name: string) => read!.properties.find((property) => property.name === name)!
  expect(momentOf(valueOf('DTSTART'))).toEqual(event.at)
  expect(momentOf(valueOf('DTSTAMP'))).toEqual(new Date('2026-11-21T10:00:00.000Z'))
  expect(textOf(valueOf('SUMMARY').value)).toBe(event.summary)
  expect(textOf(valueOf('DESCRIPTION').value)).toBe(event.description)
  // Wherever a line is folded, no character of it is split.
  for (let length = 1; length <= 160; length += 1) {
    const summary = `${'a'.repeat(length)}ł🔏ć`
    const [folded] = parseCalendar(calendarFile([{ ...event, summary }])).parts
    expect(textOf(folded!.properties.find(({ name }) => name === 'SUMMARY')!.value)).toBe(summary)
  }
})
