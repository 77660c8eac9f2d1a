import type * as z from 'zod/mini'
import { SealUserForm } from '../../contract/seal-user-form.ts'
import type { Locale, Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { readPhone } from '../../contract/rules/phone.ts'
import { findProblems, type FieldErrors } from '../ui/form-rules.ts'

/** A file with users to invite (SEA-18), which is read in the browser and never sent as a file (R215). */

export type FileUser = {
  /** Where it begins in the file, from 1. */
  line: number
  values: Record<Column, string>
  /** What is wrong with each of its values. */
  problems: FieldErrors
  /** An earlier line with the same e-mail address. */
  sameAs: number | undefined
  /** What can be sent; undefined unless all of it is right. */
  form: z.output<typeof SealUserForm> | undefined
}

type Column = 'firstName' | 'surname' | 'email' | 'phone' | 'role'

/** The headings that a column may have, in lower case; the first of each is in the template. */
const headings: Record<Column, Record<Locale, readonly string[]>> = {
  firstName: { pl: ['imię', 'imie'], en: ['first name', 'firstname', 'given name'] },
  surname: { pl: ['nazwisko'], en: ['surname', 'last name'] },
  email: { pl: ['e-mail', 'email', 'adres e-mail'], en: ['e-mail', 'e-mail address'] },
  phone: { pl: ['telefon', 'telefon komórkowy', 'numer telefonu'], en: ['phone', 'mobile phone', 'phone number'] },
  role: { pl: ['rola'], en: ['role'] },
}
const columns: readonly Column[] = ['firstName', 'surname', 'email', 'phone', 'role']
const required = columns.filter((column) => column !== 'role')

const roles: Record<string, 'user' | 'administrator'> = {
  '': 'user',
  user: 'user',
  użytkownik: 'user',
  uzytkownik: 'user',
  administrator: 'administrator',
  admin: 'administrator',
}

const { bytes: mostBytes, lines: mostLines } = limits.seal.imported

export const fileProblems = {
  large: {
    pl: `Wybierz plik do ${mostBytes / 1024}\u00a0kB, z\u00a0najwyżej ${mostLines} osobami.`,
    en: `Choose a file of up to ${mostBytes / 1024}\u00a0kB with no more than ${mostLines} people.`,
  },
  quote: {
    pl: 'W\u00a0pliku brakuje cudzysłowu zamykającego. Zapisz go jeszcze raz jako CSV.',
    en: 'The file lacks a closing quotation mark. Save it as CSV again.',
  },
  columns: {
    pl: 'W\u00a0pierwszym wierszu muszą być nagłówki: imię, nazwisko, e-mail, telefon. Kolumna „rola” nie jest wymagana.',
    en: 'The first line must have the headings first name, surname, e-mail and phone. The column “role” is optional.',
  },
  empty: { pl: 'W\u00a0pliku nie ma żadnej osoby.', en: 'There’s nobody in the file.' },
} satisfies Record<string, Text>

/** A file to fill in, with the headings of a language; Polish spreadsheets expect semicolons. */
export const template = (locale: Locale) =>
  `\ufeff${columns.map((column) => headings[column][locale][0]).join(locale === 'pl' ? ';' : ',')}\r\n`

/** Spreadsheets in Poland still save in the code page of Windows, in which hardly any Polish text is UTF-8 too. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1250').decode(bytes)
  }
}

type Row = { line: number; cells: string[] }

/** The rows of a CSV file (RFC 4180) that are not blank; undefined if a quotation mark stays open. */
function rowsOf(text: string, separator: string): Row[] | undefined {
  const rows: Row[] = []
  let row: Row = { line: 1, cells: [] }
  let [cell, line, isQuoted] = ['', 1, false]
  const endCell = () => {
    row.cells.push(cell.trim())
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (row.cells.some(Boolean)) rows.push(row)
    row = { line, cells: [] }
  }
  for (let i = 0; i < text.length; i += 1) {
    const sign = text.charAt(i)
    if (sign === '\n') line += 1
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text.charAt(i + 1) === '"') {
        cell += sign
        i += 1
      } else isQuoted = false
    } else if (sign === '"' && !cell) isQuoted = true
    else if (sign === separator) endCell()
    else if (sign === '\n') endRow()
    else if (sign !== '\r') cell += sign
  }
  if (isQuoted) return undefined
  endRow()
  return rows
}

/** By the headings, in which there is nothing else to be separated. */
function separatorOf(text: string): string {
  const [first = ''] = text.split('\n', 1)
  return [';', '\t', ','].find((sign) => first.includes(sign)) ?? ','
}

/** What our own lists put before a cell that a spreadsheet would take for a formula. */
const unguarded = (cell: string) => (cell.startsWith("'") ? cell.slice(1) : cell)

function columnOf(heading: string): Column | undefined {
  const name = heading.toLowerCase()
  return columns.find((column) => Object.values(headings[column]).some((names) => names.includes(name)))
}

/** A number without a country is a Polish one. */
function internationalOf(phone: string): string {
  const read = readPhone(phone, 'PL')
  return 'number' in read ? read.international : phone
}

export function readUsersFile(bytes: Uint8Array, locale: Locale): { users: FileUser[] } | { problem: Text } {
  if (bytes.length > mostBytes) return { problem: fileProblems.large }
  const text = textOf(bytes)
  const rows = rowsOf(text, separatorOf(text))
  if (!rows) return { problem: fileProblems.quote }
  const [heads, ...people] = rows
  const order = (heads?.cells ?? []).map(columnOf)
  if (!required.every((column) => order.filter((each) => each === column).length === 1))
    return { problem: fileProblems.columns }
  if (!people.length) return { problem: fileProblems.empty }
  if (people.length > mostLines) return { problem: fileProblems.large }
  const seen = new Map<string, number>()
  return { users: people.map((row) => userOf(row, order, seen, locale)) }
}

function userOf(
  { line, cells }: Row,
  order: readonly (Column | undefined)[],
  seen: Map<string, number>,
  locale: Locale,
): FileUser {
  const valueOf = (column: Column) => unguarded(cells[order.indexOf(column)] ?? '')
  const values = {
    firstName: valueOf('firstName'),
    surname: valueOf('surname'),
    email: valueOf('email'),
    phone: internationalOf(valueOf('phone')),
    role: valueOf('role'),
  }
  const stated = { ...values, role: roles[values.role.toLowerCase()], locale }
  const { data } = SealUserForm.safeParse(stated)
  const email = values.email.toLowerCase()
  const sameAs = seen.get(email)
  if (sameAs === undefined && email) seen.set(email, line)
  const form = sameAs === undefined ? data : undefined
  return { line, values, problems: findProblems(SealUserForm, stated), sameAs, form }
}
