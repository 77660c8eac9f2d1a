import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import type * as z from 'zod/mini'
import type { Locale, Text } from '../../contract/enums.ts'
import { Email } from '../../contract/fields.ts'
import { limits } from '../../contract/limits.ts'
import { parsePhone } from '../../contract/rules/phone.ts'
import { SealUserForm } from '../../contract/seal-user-form.ts'
import { findProblems, type FieldErrors } from '../ui/form-rules.ts'

// A file with users to invite (SEA-18), which is read in the browser and never sent as a file (R215).

export type FileUser = {
  /** Line of the file on which the entry begins, from 1. */
  line: number
  values: Record<Column, string>
  /** Problems of the values, by column. */
  problems: FieldErrors
  /** An earlier line with the same e-mail address. */
  sameAs: number | undefined
  /** Form that can be sent; undefined unless all values are valid. */
  form: z.output<typeof SealUserForm> | undefined
}

type Column = 'firstName' | 'surname' | 'email' | 'phone' | 'role'

/** The headings that a column may have, in any spelling; the first of each is in the template. */
const headings: Record<Column, Record<Locale, string>> = {
  firstName: { pl: 'imię, imiona, pierwsze imię', en: 'first name, given name, forename' },
  surname: { pl: 'nazwisko', en: 'surname, last name, family name' },
  email: { pl: 'e-mail, adres e-mail, mail', en: 'e-mail, e-mail address' },
  phone: {
    pl: 'telefon, tel, telefon komórkowy, tel kom, komórka, nr telefonu, nr tel, numer telefonu, nr telefonu komórkowego, numer telefonu komórkowego',
    en: 'phone, phone number, phone no, telephone, telephone number, mobile, mobile phone, mobile number, mobile phone number, cell, cell phone',
  },
  role: { pl: 'rola', en: 'role' },
}
const columns: readonly Column[] = ['firstName', 'surname', 'email', 'phone', 'role']
const required = columns.filter((column) => column !== 'role')

const roles: Record<string, 'user' | 'admin'> = {
  '': 'user',
  user: 'user',
  uzytkownik: 'user',
  administrator: 'admin',
  admin: 'admin',
}

const { bytes: mostBytes, lines: mostLines } = limits.seal.imported

export const usersFileProblems = {
  large: {
    pl: `Wybierz plik do ${mostBytes / 1024}\u00a0kB, z\u00a0najwyżej ${mostLines} osobami.`,
    en: `Choose a file of up to ${mostBytes / 1024}\u00a0kB with no more than ${mostLines} people.`,
  },
  quote: {
    pl: 'Cudzysłowy w\u00a0pliku do siebie nie pasują. Zapisz go jeszcze raz jako CSV.',
    en: 'The quotation marks in the file don’t match. Save it as CSV again.',
  },
  columns: {
    pl: 'W\u00a0pierwszym wierszu muszą być nagłówki: imię, nazwisko, e-mail, telefon. Kolumna „rola” nie jest wymagana.',
    en: 'The first line must have the headings first name, surname, e-mail and phone. The column “role” is optional.',
  },
  empty: { pl: 'W\u00a0pliku nie ma żadnej osoby.', en: 'There’s nobody in the file.' },
} satisfies Record<string, Text>

/** Returns a file to fill in, with the headings of a language; Polish spreadsheets expect semicolons. */
export const template = (locale: Locale) =>
  `\ufeff${columns.map((column) => headings[column][locale].split(', ', 1)).join(locale === 'pl' ? ';' : ',')}\r\n`

/**
 * Removes the apostrophe that our own lists put before a sign that begins a formula (R76); one before a letter stays, because surnames can
 * begin that way.
 */
const removeFormulaGuard = (cell: string) => cell.replace(/^'(?![\p{L}\p{N}])/u, '')

/** Returns a text in lower case and without accents. */
const plain = (text: string) => text.normalize('NFKD').toLowerCase().replaceAll('ł', 'l').replace(/\p{M}/gu, '')

/** Reduces a heading to its letters and digits, however its words are separated and accented. */
const wordsOf = (text: string) => plain(text).replace(/[^\p{L}\p{N}]/gu, '')

/**
 * Finds the index of each column, by the first of its headings that the table has; undefined if the table has that heading twice or lacks a
 * required column.
 */
function columnIndexes(heads: readonly string[]): Partial<Record<Column, number>> | undefined {
  const words = heads.map(wordsOf)
  const order: Partial<Record<Column, number>> = {}
  for (const column of columns) {
    const known = Object.values(headings[column]).flatMap((names) => names.split(', ').map(wordsOf))
    const found = known.find((name) => words.includes(name))
    if (found === undefined) continue
    if (words.filter((word) => word === found).length > 1) return undefined
    order[column] = words.indexOf(found)
  }
  return required.every((column) => column in order) ? order : undefined
}

/** Returns a phone number in international format; a number without a country is Polish. */
function internationalOf(phone: string): string {
  const read = parsePhone(phone.replace(/^'/, ''), 'PL')
  return 'number' in read ? read.international : phone
}

/** Returns the same text for every spelling of a mailbox: in lower case, with the domain in Punycode. */
function normaliseEmail(email: string): string {
  const { data } = Email.safeParse(email)
  if (!data) return email
  const [local, domain] = data.toLowerCase().split('@')
  const address = `https://${domain}`
  return `${local}@${URL.canParse(address) ? new URL(address).hostname : domain}`
}

/** A row of a table that is not blank: where it begins in the file, from 1, and its cells. */
type Row = { line: number; cells: string[] }

/**
 * Decodes a file. Spreadsheets save UTF-8, UTF-16 („Unicode text”) and, in Poland, still the code page of Windows, in which hardly any
 * Polish text is also UTF-8. UTF-16 without a byte order mark is recognised by the zero byte next to its first letter, which belongs to a
 * heading.
 */
function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (second === 0 || (first === 0xff && second === 0xfe)) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0 || (first === 0xfe && second === 0xff)) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1250').decode(bytes)
  }
}

const lineEnds = ['\r\n', '\n', '\r']
const lineEnd = /\r\n|\n|\r/

/** Removes the characters that some programs put around a number so that a spreadsheet leaves it as it is: `="0048600100417"`. */
const cellOf = (cell: string) => cell.trim().replace(/^="(.*)"$/, '$1')

/**
 * Reads the rows of a table saved by a spreadsheet (RFC 4180, with any line ends); undefined if its quotation marks do not match. The
 * separator is in a line `sep=;` before the table, or else the one that splits the first row into the headings, because a heading may
 * contain any of them.
 */
function readTable(bytes: Uint8Array, hasHeadings: (cells: string[]) => boolean): Row[] | undefined {
  const text = decodeText(bytes)
  const [first = ''] = text.trimStart().split(lineEnd, 1)
  const stated = /^"?sep= ?(.)"?[;,\t ]*$/i.exec(first)?.[1]
  if (stated) return parseRows(text, stated)?.slice(1)
  const heads = [';', '\t', ','].map((sign) => ({ sign, cells: parseRows(text, sign, 1)?.[0]?.cells ?? [] }))
  const found = heads.find(({ cells }) => hasHeadings(cells)) ?? heads.find(({ cells }) => cells.length > 1)
  return parseRows(text, found?.sign ?? ',')
}

function parseRows(text: string, delimiter: string, most = -1): Row[] | undefined {
  try {
    const rows = parse(text, {
      delimiter,
      record_delimiter: lineEnds,
      to: most,
      trim: true,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      info: true,
    }) as unknown as { record: string[]; info: { lines: number } }[]
    return rows.map(({ record, info }) => ({
      line: info.lines - record.reduce((breaks, cell) => breaks + cell.split(lineEnd).length - 1, 0),
      cells: record.map(cellOf),
    }))
  } catch (error) {
    if (error instanceof CsvError) return undefined
    throw error
  }
}

export function readUsersFile(bytes: Uint8Array, locale: Locale): { users: FileUser[] } | { problem: Text } {
  if (bytes.length > mostBytes) return { problem: usersFileProblems.large }
  const rows = readTable(bytes, (cells) => columnIndexes(cells) !== undefined)
  if (!rows) return { problem: usersFileProblems.quote }
  const [heads, ...people] = rows
  const order = columnIndexes(heads?.cells ?? [])
  if (!order) return { problem: usersFileProblems.columns }
  if (!people.length) return { problem: usersFileProblems.empty }
  if (people.length > mostLines) return { problem: usersFileProblems.large }
  const seen = new Map<string, number>()
  return { users: people.map((row) => parseUser(row, order, seen, locale)) }
}

function parseUser(
  { line, cells }: Row,
  order: Partial<Record<Column, number>>,
  seen: Map<string, number>,
  locale: Locale,
): FileUser {
  const valueOf = (column: Column) => removeFormulaGuard(cells[order[column] ?? -1] ?? '')
  const values = {
    firstName: valueOf('firstName'),
    surname: valueOf('surname'),
    email: valueOf('email'),
    phone: internationalOf(valueOf('phone')),
    role: valueOf('role'),
  }
  const stated = { ...values, role: roles[plain(values.role)], locale }
  const { data } = SealUserForm.safeParse(stated)
  const mailbox = normaliseEmail(values.email)
  const sameAs = seen.get(mailbox)
  if (sameAs === undefined && mailbox) seen.set(mailbox, line)
  const form = sameAs === undefined ? data : undefined
  return { line, values, problems: findProblems(SealUserForm, stated), sameAs, form }
}
