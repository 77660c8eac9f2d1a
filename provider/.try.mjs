import { PaperDocument } from './paper-document.ts'
import { writeFileSync } from 'node:fs'
const run = async () => {
  const d = new PaperDocument({
    language: 'pl',
    title: 'Umowa & <TEST>',
    author: 'Sygnet TEST',
    head: ['Sygnet TEST', 'TEST'],
    foot: 'TEST/2026/1',
    createdAt: new Date('2026-11-21'),
  })
  d.title('Umowa o kwalifikowany podpis elektroniczny', 'Nr TEST/2026/1')
  d.notice('TEST. ' + 'Dokument przykładowy. '.repeat(6))
  d.section('Strony')
  d.table([
    ['Klient', 'Łukasz 中 😀 żółć'],
    ['B', 'x '.repeat(100)],
  ])
  d.section('Warunki')
  for (let i = 1; i < 10; i++) d.clause(i, 'Przedmiot umowy', ['Wydajemy Ci '.repeat(20), 'b '.repeat(150)])
  return d.finish()
}
for (let i = 0; i < 6; i++) {
  const t = performance.now()
  const b = await run()
  console.log(performance.now() - t, b.length)
  writeFileSync('/tmp/try.pdf', b)
}
