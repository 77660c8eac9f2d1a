import type pg from 'pg'

/** Where a secret or a personal number is found in a text, in the spellings that it could have there. */
export const findIn = (text: string, secret: string): string[] =>
  spellingsOf(secret).filter((spelling) => RegExp(patternOf(spelling)).test(text))

/** Whether any of them is found in a text: one look for all of them, where `findIn` takes one for each spelling. */
export const holdsAny = (text: string, secrets: string[]): boolean =>
  secrets.length > 0 && RegExp(secrets.flatMap(spellingsOf).map(patternOf).join('|')).test(text)

/** Six digits stand in many a time and hash; alone they are the code. */
const patternOf = (spelling: string) =>
  /^\d{6}$/.test(spelling) ? `(?<![0-9a-f.-])${spelling}(?![0-9a-f-])` : RegExp.escape(spelling)

/** ASCII or UTF-8, UTF-16 of both orders, hex of each, base64 wherever in its threes it begins, JSON and URL. */
function spellingsOf(secret: string): string[] {
  const utf16 = Buffer.from(secret, 'utf16le')
  const forms = [Buffer.from(secret), utf16, Buffer.from(utf16).swap16()]
  const spellings = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    ...forms.flatMap((bytes) => [
      bytes.toString('latin1'),
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
      ...base64Of(bytes, 'base64'),
      ...base64Of(bytes, 'base64url'),
    ]),
  ]
  // Most are the same for plain letters and digits, and each is a search through everything.
  return [...new Set(spellings)]
}

/** What base64 makes of bytes inside of longer ones: the characters that depend on them alone. */
const base64Of = (bytes: Buffer, alphabet: 'base64' | 'base64url') =>
  [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString(alphabet)
      .slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6)),
  )

type Queries = Pick<pg.Pool, 'query'>

/** Everything in every table: as text, and each column of bytes as those bytes. */
export async function dumpOf(owner: Queries): Promise<string> {
  const { rows: columns } = await owner.query<{ table: string; column: string; bytes: boolean }>(
    `select quote_ident(table_name) as table, quote_ident(column_name) as column, udt_name = 'bytea' as bytes
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const parts: string[] = []
  for (const table of new Set(columns.map((one) => one.table))) {
    const { rows } = await owner.query<{ row: string }>(`select t::text as row from ${table} t`)
    parts.push(...rows.map(({ row }) => row))
  }
  for (const { table, column } of columns.filter(({ bytes }) => bytes)) {
    const { rows } = await owner.query<{ bytes: Buffer | null }>(`select ${column} as bytes from ${table}`)
    parts.push(...rows.map(({ bytes }) => (bytes ?? Buffer.alloc(0)).toString('latin1')))
  }
  return parts.join('\n')
}

/** The files of every table and index as they lie on the disk, with what was deleted but not yet written over. */
export async function filesOf(owner: Queries): Promise<string> {
  await owner.query('checkpoint')
  const { rows } = await owner.query<{ bytes: Buffer }>(
    `select pg_read_binary_file(pg_relation_filepath(c.oid)) as bytes from pg_class c
     where c.relkind in ('r', 'i', 't') and pg_relation_filepath(c.oid) is not null
       and (c.relnamespace = 'public'::regnamespace or c.oid in (select reltoastrelid from pg_class where relnamespace = 'public'::regnamespace))`,
  )
  return rows.map(({ bytes }) => bytes.toString('latin1')).join('\n')
}
