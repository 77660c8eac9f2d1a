import { expect, test } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { usersFileProblems, readUsersFile, template, type FileUser } from './users-file.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const read = (content: string | Uint8Array) =>
  readUsersFile(typeof content === 'string' ? bytes(content) : content, 'pl')

function usersIn(content: string | Uint8Array): FileUser[] {
  const found = read(content)
  if ('problem' in found) throw new Error(found.problem.en)
  return found.users
}

const heads = 'imię;nazwisko;e-mail;telefon;rola'
const anna = 'Anna;Nowak;anna@mail.example;+48 600 100 417;administrator'

const utf16 = (text: string, isLittle: boolean) => {
  const file = Buffer.from(text, 'utf16le')
  return new Uint8Array(isLittle ? file : file.swap16())
}

test('SEA-18 columns are in any order, under Polish or English headings, with any separator', () => {
  const form = {
    firstName: 'Anna',
    surname: 'Nowak',
    email: 'anna@mail.example',
    phone: '+48600100417',
    role: 'admin',
    locale: 'pl',
  }
  for (const file of [
    `${heads}\r\n${anna}\r\n`,
    `\ufeff${heads}\n${anna}`,
    `Role,PHONE,E-mail address,Surname,First name,remark\nadministrator,600 100 417,anna@mail.example,Nowak,Anna,x`,
    `phone\tfirst name\tsurname\te-mail\trole\n'+48600100417\tAnna\tNowak\tanna@mail.example\tAdministrator`,
    `"imię";"nazwisko";"e-mail";"telefon";"rola"\n"Anna";"Nowak";"anna@mail.example";"600100417";"administrator"`,
    `first name,surname,email,phone,role\nAnna, "Nowak" , anna@mail.example,"=""600100417""",admin`,
    `Sep=,\n${heads.replaceAll(';', ',')}\n${anna.replaceAll(';', ',')}`,
    `"sep=;"\r\n${heads}\r\n${anna}`,
    `${heads}\r${anna}\r`.normalize('NFD'),
    `\n${heads.replaceAll(';', ' ; ')}\r\n\r\n;;;;\n${anna}\r`,
    `Imię *;NAZWISKO:;E\u2011mail;Nr\u00a0 telefonu;Rola\n${anna}`,
    `Imie;Nazwisko;Adres email;Tel.;rola\n${anna}`,
    `First\u00a0name;Surname;Email address;Mobile;Role\n${anna}`,
    utf16(`\ufeff${heads}\n${anna}`.replaceAll(';', '\t'), true),
    utf16(`\ufeff${heads}\n${anna}`.replaceAll(';', '\t'), false),
    utf16(`${heads}\n${anna}`, true),
    `sep=\t\n${heads}\n${anna}`.replaceAll(';', '\t'),
    `sep=;;;;;\n${heads}\n${anna}`,
    `First Name,Last Name,E-mail Address,E-mail 2 Address,Mobile Phone,Home Phone,Role\nAnna,Nowak,anna@mail.example,,600100417,,admin`,
    `${heads.replaceAll(';', ',')},"Uwagi; inne"\n${anna.replaceAll(';', ',')},x`,
    `${heads.replaceAll(';', ',')},Dział (HR;IT)\n${anna.replaceAll(';', ',')},x`,
    `${heads.replaceAll(';', '\t')}\tUwagi; inne, nowe\n${anna.replaceAll(';', '\t')}\tx`,
    `"Uwagi\ninne";${heads}\nx;${anna}`,
    `"Imię\n"${heads.slice(4)}\n${anna}`,
    `imię;imiona;nazwisko;e-mail;telefon;komórka;rola\nAnna;A.;Nowak;anna@mail.example;600100417;;administrator`,
  ])
    expect(usersIn(file)).toMatchObject([{ problems: {}, sameAs: undefined, form }])
})

test('SEA-18 without a role somebody is a user, also where there is no such column', () => {
  expect(usersIn(`${heads}\n${anna.replace('administrator', '')}`)[0]!.form?.role).toBe('user')
  expect(usersIn('imię,nazwisko,e-mail,telefon\nA,B,a@b.example,600100417')[0]!.form?.role).toBe('user')
})

test('SEA-18 a role that is none is a problem of its line', () => {
  for (const role of ['1', '—', 'user?', 'admin1', 'szef'])
    expect([role, Object.keys(usersIn(`${heads}\nA;B;a@b.example;600100417;${role}`)[0]!.problems)]).toEqual([
      role,
      ['role'],
    ])
})

test('SEA-18 each line has what is wrong in it, with its number in the file', () => {
  const users = usersIn(
    [heads, anna, '', ';Kos;nobody;12;szef', '"Jan\n";Kos;jan@mail.example;600100418;', anna.toUpperCase()].join('\n'),
  )
  expect(users.map(({ line, problems, sameAs, form }) => [line, problems, sameAs, !!form])).toEqual([
    [2, {}, undefined, true],
    [
      4,
      {
        firstName: 'required',
        email: 'email-format',
        phone: expect.stringMatching(/^phone-/),
        role: expect.anything(),
      },
      undefined,
      false,
    ],
    [5, {}, undefined, true],
    [7, {}, 2, false],
  ])
})

test('SEA-18 a surname keeps its apostrophe; one before a sign is of our own lists', () => {
  const names = ['’t Hooft', "'t Hooft", "'s-Gravesande", "'Abd"]
  const users = usersIn([heads, ...names.map((name, i) => `A;${name};a${i}@mail.example;'+48600100417;`)].join('\n'))
  expect(users.map(({ form }) => form?.surname)).toEqual(names)
  expect(usersIn(`${heads}\nA;'=1+1;a@mail.example;600100417;`)[0]!.values.surname).toBe('=1+1')
})

test('SEA-18 a mailbox that is spelt in two ways is the same', () => {
  const spellings = [
    'a@zażółć.example',
    'A@ZAŻÓŁĆ.example',
    'a@xn--za-6ja4f8n1l.example',
    '\u200ea@zaz\u0307ółć.example ',
  ]
  const users = usersIn([heads, ...spellings.map((email) => `A;B;${email};600100417;`)].join('\n'))
  expect(users.map(({ sameAs }) => sameAs)).toEqual([undefined, 2, 2, 2])
})

test('SEA-18 a file in the code page of Windows is read too', () => {
  const text = `imi\xea;nazwisko;e-mail;telefon\n\xa3ukasz;D\xb9browski;l@mail.example;600100417`
  expect(usersIn(Uint8Array.from(text, (sign) => sign.charCodeAt(0)))[0]!.form).toMatchObject({
    firstName: 'Łukasz',
    surname: 'Dąbrowski',
  })
})

test('SEA-18 R215 a file that is too large, broken, empty or without the columns is refused with the reason', () => {
  const { bytes: most, lines } = limits.seal.imported
  const line = (i: number) => `A;B;a${i}@b.example;600100417;`
  const many = (count: number) => [heads, ...Array.from({ length: count }, (_, i) => line(i))].join('\n')
  expect(usersIn(many(lines))).toHaveLength(lines)
  for (const [content, problem] of [
    [many(lines + 1), usersFileProblems.large],
    [`${heads}\n${'x'.repeat(most)}`, usersFileProblems.large],
    [`${heads}\n"Anna;Nowak`, usersFileProblems.quote],
    [`${heads}\n"Anna" x;Nowak`, usersFileProblems.quote],
    ['"imię";"nazwisko"\n"A";"B"', usersFileProblems.columns],
    [`"${heads}\n${anna}`, usersFileProblems.quote],
    ['', usersFileProblems.columns],
    ['imię;nazwisko;e-mail\nA;B;a@b.example', usersFileProblems.columns],
    [`${heads};e-mail\n${anna};x`, usersFileProblems.columns],
    [template('pl'), usersFileProblems.empty],
    [template('en'), usersFileProblems.empty],
    [new Uint8Array(most), usersFileProblems.columns],
  ] as const)
    expect(read(content)).toEqual({ problem })
})
