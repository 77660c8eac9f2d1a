/** One event as a calendar file (RFC 5545). It names no person, since calendars are shared (R86). */
type CalendarEvent = {
  uid: string
  at: Date
  writtenAt: Date
  summary: string
  description: string
  url: string
  /** Reminders, in hours before the event; 0 is at its start. */
  alarms?: readonly number[]
}

const instant = (at: Date) => `${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

/** RFC 5545 §3.3.11. */
const escaped = (text: string) => text.replace(/[\\;,]/g, (sign) => `\\${sign}`).replaceAll('\n', String.raw`\n`)

/** A line has at most 75 octets; its continuation begins with a space (RFC 5545 §3.1). */
function folded(line: string): string {
  let [text, length] = ['', 0]
  for (const character of line) {
    const bytes = Buffer.byteLength(character)
    if (length + bytes > 75) [text, length] = [`${text}\r\n `, 1]
    text += character
    length += bytes
  }
  return text
}

export function calendarFile({ uid, at, writtenAt, summary, description, url, alarms = [0] }: CalendarEvent): Buffer {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Sygnet//PL',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${instant(writtenAt)}`,
    `DTSTART:${instant(at)}`,
    'DURATION:PT15M',
    `SUMMARY:${escaped(summary)}`,
    `DESCRIPTION:${escaped(description)}`,
    `URL:${url}`,
    ...alarms.flatMap((hours) => [
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      `TRIGGER:${hours ? `-PT${hours}H` : 'PT0S'}`,
      `DESCRIPTION:${escaped(summary)}`,
      'END:VALARM',
    ]),
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return Buffer.from(lines.map((line) => `${folded(line)}\r\n`).join(''))
}
