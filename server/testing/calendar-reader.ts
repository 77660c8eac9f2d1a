/**
 * Reads iCalendar as strictly as RFC 5545 defines it, for what a calendar program may refuse. It shares nothing with the code
 * that writes calendars.
 */
export type Component = { name: string; properties: Property[]; parts: Component[] }
export type Property = { name: string; params: Record<string, string>; value: string }

const check = (isRight: boolean, what: string) => {
  if (!isRight) throw new Error(`Not iCalendar: ${what}`)
}

/**
 * Returns the unfolded lines of a calendar. Checks §3.1: lines end with CRLF and have at most 75 octets; each is valid UTF-8 by itself, so
 * that no character is split.
 */
function unfoldedLines(bytes: Uint8Array): string[] {
  const lines: string[] = []
  for (const octets of splitLines(bytes)) {
    check(octets.length > 0 && octets.length <= 75, `a line of ${octets.length} octets`)
    const line = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(octets)
    check(![...line].some((sign) => sign < ' ' || sign === '\x7f'), `a control character in ${line}`)
    if (line.startsWith(' ')) lines.push(`${lines.pop()}${line.slice(1)}`)
    else lines.push(line)
  }
  return lines
}

function splitLines(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = []
  let start = 0
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    check(bytes[end - 1] === 13, 'a line that does not end with CRLF')
    lines.push(bytes.subarray(start, end - 1))
    start = end + 1
  }
  check(start === bytes.length, 'the last line does not end with CRLF')
  return lines
}

/** Parses a line (§3.1): `name *(";" param) ":" value`, with parameters without quotation marks, as in our files. */
function propertyOf(line: string): Property {
  const [, head, value] = /^([^:"]+):(.*)$/.exec(line) ?? []
  check(head !== undefined && value !== undefined, `the line ${line}`)
  const [name, ...params] = head!.split(';')
  check(/^[A-Z-]+$/.test(name!), `the name in ${line}`)
  return { name: name!, params: Object.fromEntries(params.map((param) => param.split('=', 2))), value: value! }
}

/** Unescapes a text value (§3.3.11). Throws at an unescaped separator, which would end the value. */
export function textOf(value: string): string {
  let text = ''
  for (let i = 0; i < value.length; i += 1) {
    const sign = value.charAt(i)
    check(sign !== ',' && sign !== ';', `the separator in ${value}`)
    if (sign === '\\') {
      i += 1
      check('\\;,nN'.includes(value.charAt(i)) && i < value.length, `the backslash in ${value}`)
      text += value.charAt(i).toLowerCase() === 'n' ? '\n' : value.charAt(i)
    } else text += sign
  }
  return text
}

/** Parses a date or a time (§3.3.4, §3.3.5), in UTC as in our files: `20270301` with VALUE=DATE, otherwise `20270301T110000Z`. */
export function momentOf({ name, params: { VALUE, ...others }, value }: Property): Date {
  check(Object.keys(others).length === 0, `the parameters of ${name}`)
  const form = VALUE === 'DATE' ? /^(\d{4})(\d\d)(\d\d)$/ : /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/
  const [year, month, day, hour = '00', minute = '00', second = '00'] = form.exec(value)?.slice(1) ?? []
  const moment = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  // A day such as 30 February would become another one.
  check(!Number.isNaN(moment.getTime()) && moment.getUTCDate() === Number(day), `${name} ${value}`)
  return moment
}

/** Checks whether a value is a duration (§3.3.6), as far as our files use it: hours, minutes and seconds. */
const isDuration = (value: string) => /^-?PT(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?$/.test(value)

/** The values that have a type other than text. */
const valueChecks: Record<string, (property: Property) => boolean> = {
  VERSION: ({ value }) => value === '2.0',
  DTSTAMP: (property) => !property.params.VALUE && Boolean(momentOf(property)),
  DTSTART: (property) => Boolean(momentOf(property)),
  DTEND: (property) => Boolean(momentOf(property)),
  DURATION: ({ value }) => isDuration(value) && !value.startsWith('-'),
  TRIGGER: ({ value }) => isDuration(value),
  ACTION: ({ value }) => value === 'DISPLAY',
  URL: ({ value }) => URL.canParse(value),
  // RFC 7986 §5.7.
  'REFRESH-INTERVAL': ({ value, params }) => params.VALUE === 'DURATION' && isDuration(value),
  'X-PUBLISHED-TTL': ({ value }) => isDuration(value),
}

/** The rule for a component: what it must have once, what it may have once, and the components in it (§3.6). */
type Rule = { once: string[]; atMostOnce: string[]; parts: string[] }
const rules: Record<string, Rule> = {
  VCALENDAR: {
    once: ['VERSION', 'PRODID'],
    atMostOnce: ['NAME', 'X-WR-CALNAME', 'REFRESH-INTERVAL', 'X-PUBLISHED-TTL', 'METHOD', 'CALSCALE'],
    parts: ['VEVENT', 'VTIMEZONE'],
  },
  VEVENT: {
    once: ['UID', 'DTSTAMP', 'DTSTART'],
    atMostOnce: ['DTEND', 'DURATION', 'SUMMARY', 'DESCRIPTION', 'URL'],
    parts: ['VALARM'],
  },
  VALARM: { once: ['ACTION', 'TRIGGER', 'DESCRIPTION'], atMostOnce: [], parts: [] },
  VTIMEZONE: { once: ['TZID'], atMostOnce: [], parts: ['STANDARD'] },
  STANDARD: { once: ['DTSTART', 'TZOFFSETFROM', 'TZOFFSETTO'], atMostOnce: [], parts: [] },
}

function checkComponent({ name, properties, parts }: Component): void {
  const rule = rules[name]
  check(rule !== undefined, `the component ${name}`)
  const { once, atMostOnce, parts: allowed } = rule!
  const names = properties.map((property) => property.name)
  for (const each of once) check(names.filter((other) => other === each).length === 1, `${name} without one ${each}`)
  for (const each of names) check([...once, ...atMostOnce].includes(each), `${each} in ${name}`)
  check(new Set(names).size === names.length, `a property twice in ${name}`)
  check(!(names.includes('DTEND') && names.includes('DURATION')), 'an end and a duration')
  for (const part of parts) check(allowed.includes(part.name), `${part.name} in ${name}`)
  if (['VCALENDAR', 'VTIMEZONE'].includes(name)) check(parts.length > 0, `${name} without a component`)
  // The times of a time zone are local.
  if (name === 'STANDARD') return
  for (const property of properties) {
    const isRight = valueChecks[property.name]
    if (isRight) check(isRight(property), `the value of ${property.name}: ${property.value}`)
    else
      check(Object.keys(property.params).length === 0 && textOf(property.value) !== '', `the text of ${property.name}`)
  }
}

/** Parses a calendar file; throws if it does not follow RFC 5545. */
export function parseCalendar(bytes: Uint8Array): Component {
  const open: Component[] = [{ name: '', properties: [], parts: [] }]
  for (const line of unfoldedLines(bytes)) {
    const property = propertyOf(line)
    if (property.name === 'BEGIN') open.push({ name: property.value, properties: [], parts: [] })
    else if (property.name === 'END') {
      const ended = open.pop()!
      check(ended.name === property.value && open.length > 0, `the end of ${property.value}`)
      checkComponent(ended)
      open.at(-1)!.parts.push(ended)
    } else open.at(-1)!.properties.push(property)
  }
  const [outside, ...unended] = open
  check(unended.length === 0, 'a component without an end')
  check(outside!.parts.length === 1 && outside!.properties.length === 0, 'something outside of the calendar')
  const [calendar] = outside!.parts
  check(calendar!.name === 'VCALENDAR', `the component ${calendar!.name}`)
  const uids = calendar!.parts.flatMap(({ properties }) => properties.filter(({ name }) => name === 'UID'))
  check(new Set(uids.map(({ value }) => value)).size === uids.length, 'two events with one UID')
  return calendar!
}
