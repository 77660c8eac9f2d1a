/** One event as a calendar file, RFC 5545. Nobody is named in it: calendars are shared (R86). */
type CalendarEvent = {
  uid: string
  at: Date
  writtenAt: Date
  summary: string
  description: string
  url: string
  /** How many hours before it is reminded of; 0 is when it comes. */
  alarms?: readonly number[]
}

const instant = (at: Date) => `${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

/** RFC 5545 §3.3.11. */
const escaped = (text: string) => text.replace(/[\\;,]/g, (sign) => `\\${sign}`).replaceAll('\n', String.raw`\n`)

/** No line is longer than 75 octets; what follows begins with a space (RFC 5545 §3.1). */
function folded(line: string): string {
  const parts: string[] = ['']
  for (const sign of line) {
    const last = parts.at(-1)!
    if (Buffer.byteLength(last + sign) > (parts.length === 1 ? 75 : 74)) parts.push(sign)
    else parts[parts.length - 1] = last + sign
  }
  return parts.join('\r\n ')
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
