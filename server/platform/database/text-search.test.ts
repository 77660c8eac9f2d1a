import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openPortal } from '../../testing/open-portal.ts'
import { containsWords } from './text-search.ts'

const portal = await openPortal()

async function isFound(text: string, typed: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select ${containsWords(sql`${text}::text`, typed)} as found`.execute(
    portal.db,
  )
  return rows[0]!.found
}

/** A name of each language as it is written, and as somebody types it who has another keyboard. */
const names = [
  ['Zażółć Gęślą Jaźń ŁÓDŹ', 'zazolc gesla jazn lodz'],
  ['Příliš Žluťoučký Kůň Ľúbivý Ďáblův Ňouma', 'prilis zlutoucky kun lubivy dabluv nouma'],
  ['Größe Süß Straße STRAẞE', 'grosse suss strasse strasse'],
  ['Œuvre Façade Hôtel Noël Élève', 'oeuvre facade hotel noel eleve'],
  ['Søren Kjærgård Ǻse', 'soren kjaergard ase'],
  ['Þórður Æðey', 'thordur aedey'],
  ['Árvíztűrő Tükörfúrógép', 'arvizturo tukorfurogep'],
  ['Ștefan Țepeș Ţară Şi Brâncuşi Ă', 'stefan tepes tara si brancusi a'],
  ['Đorđe Čapek Šćepan Žarko', 'dorde capek scepan zarko'],
  ['Ķēniņš Ģirts Ļaudis Šķūnis', 'kenins girts laudis skunis'],
  ['Žąsinas Ėglė Įvykis Ūkas Ųžs', 'zasinas egle ivykis ukas uzs'],
  ['Õun Jäääär Šokolaad', 'oun jaaaar sokolaad'],
  ['Ħal Għarb Żejtun Ċirkewwa Ġgantija', 'hal gharb zejtun cirkewwa ggantija'],
  ['Iğdır İzmir Çelik', 'igdir izmir celik'],
  ['Ŧávvi Ŋuoʒi', 'tavvi nuozi'],
  ['Ŵyn Ŷd', 'wyn yd'],
  ['Ñandú Ação Coração', 'nandu acao coracao'],
  ['ΆΝΘΡΩΠΟΣ Έλληνας', 'ανθρωποσ ελληνασ'],
  ['Йосиф Ёлка Їжак', 'иосиф елка іжак'],
  ['Stowarzyszenie Łączność – O’Brien', "stowarzyszenie lacznosc - o'brien"],
] as const

test.each(names)(
  'UIX-26 %s is found without the marks of its letters, and by its own letters',
  async (written, typed) => {
    expect(await isFound(written, typed)).toBe(true)
    expect(await isFound(typed, written)).toBe(true)
    // Both forms of Unicode are the same letters.
    expect(await isFound(written.normalize('NFD'), written.toUpperCase())).toBe(true)
  },
)

test('UIX-26 all words have to be there, in any order and apart; what is typed is never a pattern', async () => {
  const text = 'Umowa o\u00a0pieczęć Seal agreement W/2026/117 U_20%871\\'
  for (const typed of [
    '',
    ' \u00a0',
    '117 umowa',
    'AGREEMENT pieczec 117',
    'o\u202fpieczęć',
    'u_20%',
    '871\\',
    'gree eal',
  ])
    expect([typed, await isFound(text, typed)]).toEqual([typed, true])
  for (const typed of ['umowa 118', 'pieczec%117', 'u-20', 'Um_wa', '%%x', '\\u'])
    expect([typed, await isFound(text, typed)]).toEqual([typed, false])
})
