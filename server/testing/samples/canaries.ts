import type pg from 'pg'

/** Finds the encodings of a secret or a personal number that occur in a text. */
export const findIn = (text: string, secret: string): string[] =>
  spellingsOf(secret).filter((spelling) => RegExp(patternOf(spelling)).test(text))

/** Checks whether any of the secrets occurs in a text, in one search for all; `findIn` searches once per encoding. */
export const holdsAny = (text: string, secrets: string[]): boolean =>
  secrets.length > 0 && RegExp(secrets.flatMap(spellingsOf).map(patternOf).join('|')).test(text)

/** Returns the pattern that finds an encoding. Six digits also occur in times and hashes, so only separate digits are a code. */
const patternOf = (spelling: string) =>
  /^\d{6}$/.test(spelling) ? `(?<![0-9a-f.-])${spelling}(?![0-9a-f-])` : RegExp.escape(spelling)

/** Returns the encodings of a secret: UTF-8, UTF-16 in both byte orders, hex of each, base64 at each of the three offsets, JSON and URL. */
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
  // Many are equal for plain letters and digits, and each costs a search.
  return [...new Set(spellings)]
}

/** Returns, for each offset, the base64 characters that depend only on these bytes when they are part of a longer text. */
const base64Of = (bytes: Buffer, alphabet: 'base64' | 'base64url') =>
  [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString(alphabet)
      .slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6)),
  )

type Queries = Pick<pg.Pool, 'query'>

/** Returns the content of every table as text, and each binary column as its bytes. */
export async function dumpDatabase(owner: Queries): Promise<string> {
  const { rows: columns } = await owner.query<{ table: string; column: string; bytes: boolean }>(
    `select quote_ident(table_name) as table, quote_ident(column_name) as column, udt_name = 'bytea' as bytes
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const parts: string[] = []
  for (const table of new Set(columns.map((column) => column.table))) {
    const { rows } = await owner.query<{ row: string }>(`select t::text as row from ${table} t`)
    parts.push(...rows.map(({ row }) => row))
  }
  for (const { table, column } of columns.filter(({ bytes }) => bytes)) {
    const { rows } = await owner.query<{ bytes: Buffer | null }>(`select ${column} as bytes from ${table}`)
    parts.push(...rows.map(({ bytes }) => (bytes ?? Buffer.alloc(0)).toString('latin1')))
  }
  return parts.join('\n')
}

/** Reads the files of every table and index on disk, including deleted data that is not overwritten yet. */
export async function readFiles(owner: Queries): Promise<string> {
  await owner.query('checkpoint')
  const { rows } = await owner.query<{ bytes: Buffer }>(
    `select pg_read_binary_file(pg_relation_filepath(c.oid)) as bytes from pg_class c
     where c.relkind in ('r', 'i', 't') and pg_relation_filepath(c.oid) is not null
       and (c.relnamespace = 'public'::regnamespace or c.oid in (select reltoastrelid from pg_class where relnamespace = 'public'::regnamespace))`,
  )
  return rows.map(({ bytes }) => bytes.toString('latin1')).join('\n')
}
