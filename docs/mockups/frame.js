// Puts the frame of a signed-in page around `main`, or that of the sign-in pages (`data-frame="visitor"`), and an icon into each `<svg data-icon>`. Each page names itself in `data-page`.
const drawings = {
  alert: 'M3.7 12a8.3 8.3 0 1 0 16.6 0a8.3 8.3 0 1 0 -16.6 0ZM12 7.6v5.2M12 16.2v.01',
  back: 'M19.5 12h-15M10.5 6l-6 6 6 6',
  calendar:
    'M5.5 6h13A1.5 1.5 0 0 1 20 7.5v11a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 18.5v-11A1.5 1.5 0 0 1 5.5 6ZM4 10.5h16M8.5 3.8v4M15.5 3.8v4',
  cases:
    'M3.8 8.2a1.7 1.7 0 0 1 1.7-1.7h4l2 2.3h7a1.7 1.7 0 0 1 1.7 1.7v7a1.7 1.7 0 0 1-1.7 1.7h-13a1.7 1.7 0 0 1-1.7-1.7Z',
  check: 'm5 12.8 4.6 4.6L19.2 7',
  clock: 'M3.7 12a8.3 8.3 0 1 0 16.6 0a8.3 8.3 0 1 0 -16.6 0ZM12 7.4V12l3.1 2',
  copy: 'M10 8.5h8a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5h-8A1.5 1.5 0 0 1 8.5 18v-8A1.5 1.5 0 0 1 10 8.5ZM15.5 8.3V6A1.5 1.5 0 0 0 14 4.5H6A1.5 1.5 0 0 0 4.5 6v8A1.5 1.5 0 0 0 6 15.5h2.3',
  doc: 'M6.5 3.8h7.2L18 8.1v12.1H6.5ZM13.5 3.8v4.5H18M9.3 12.5h5.8M9.3 16h5.8',
  down: 'm5.5 9.5 6.5 6.5 6.5-6.5',
  download: 'M12 4v11.2M7.5 11l4.5 4.4 4.5-4.4M4.5 19.5h15',
  ext: 'M13.5 4.5h6v6M19.5 4.5l-8.3 8.3M17 13.8v4.2a1.5 1.5 0 0 1-1.5 1.5H6A1.5 1.5 0 0 1 4.5 18V8.5A1.5 1.5 0 0 1 6 7h4.2',
  eye: 'M9.3 12a2.7 2.7 0 1 0 5.4 0a2.7 2.7 0 1 0 -5.4 0ZM2.8 12S6 5.8 12 5.8 21.2 12 21.2 12 18 18.2 12 18.2 2.8 12 2.8 12Z',
  filter: 'M4 6.5h16M7 12h10M10 17.5h4',
  help: 'M3.7 12a8.3 8.3 0 1 0 16.6 0a8.3 8.3 0 1 0 -16.6 0ZM9.6 9.5a2.5 2.5 0 1 1 3.8 2.1c-1 .6-1.4 1.1-1.4 2.1M12 16.6v.01',
  home: 'M4 11.2 12 4.5l8 6.7V19a1.5 1.5 0 0 1-1.5 1.5h-4V15h-5v5.5h-4A1.5 1.5 0 0 1 4 19Z',
  hour: 'M6 4h12M6 20h12M7.5 4v2.6c0 2.4 4.5 3.6 4.5 5.4s-4.5 3-4.5 5.4V20M16.5 4v2.6c0 2.4-4.5 3.6-4.5 5.4s4.5 3 4.5 5.4V20',
  info: 'M3.7 12a8.3 8.3 0 1 0 16.6 0a8.3 8.3 0 1 0 -16.6 0ZM12 11.2v5.2M12 7.9v.01',
  key: 'M4.1 15.5a3.9 3.9 0 1 0 7.8 0a3.9 3.9 0 1 0 -7.8 0ZM10.8 12.7 19 4.5M15.4 8.1l2.7 2.7',
  laptop: 'M6.2 5h11.6A1.2 1.2 0 0 1 19 6.2V15H5V6.2A1.2 1.2 0 0 1 6.2 5ZM3 18.5h18',
  lock: 'M7 10.5h10a1.8 1.8 0 0 1 1.8 1.8v6A1.8 1.8 0 0 1 17 20.1H7a1.8 1.8 0 0 1-1.8-1.8v-6A1.8 1.8 0 0 1 7 10.5ZM8 10.5V8a4 4 0 0 1 8 0v2.5M12 14.3v2',
  menu: 'M4 7h16M4 12h16M4 17h16',
  minusc: 'M3.7 12a8.3 8.3 0 1 0 16.6 0a8.3 8.3 0 1 0 -16.6 0ZM8.3 12h7.4',
  mobile:
    'M8.7 3.2h6.6A1.7 1.7 0 0 1 17 4.9v14.2a1.7 1.7 0 0 1-1.7 1.7H8.7A1.7 1.7 0 0 1 7 19.1V4.9a1.7 1.7 0 0 1 1.7-1.7ZM11 17.8h2',
  okc: 'M3.7 12a8.3 8.3 0 1 0 16.6 0a8.3 8.3 0 1 0 -16.6 0ZM8.2 12.3l2.6 2.6 5-5.4',
  out: 'M14.5 4.5H7A1.5 1.5 0 0 0 5.5 6v12A1.5 1.5 0 0 0 7 19.5h7.5M10.5 12h10M17 8.5l3.5 3.5-3.5 3.5',
  pen: 'M4 20c2.6-.2 3.7-1.2 4.5-3.4L17.3 4.8a1.9 1.9 0 0 1 2.9 2.4L9.8 17.3M13 20h7',
  plus: 'M12 5v14M5 12h14',
  right: 'm9.5 5.5 6.5 6.5-6.5 6.5',
  search: 'M4.5 10.5a6 6 0 1 0 12 0a6 6 0 1 0 -12 0ZM15 15l4.8 4.8',
  shieldok: 'M12 3.6 19.2 6v5.4c0 4.4-2.9 7.6-7.2 9-4.3-1.4-7.2-4.6-7.2-9V6ZM8.8 12l2.3 2.3 4.2-4.5',
  stamp:
    'M9.3 13.5c.7-1.6.2-2.8-.5-4a3.9 3.9 0 1 1 6.4 0c-.7 1.2-1.2 2.4-.5 4M6.5 13.5h11a2 2 0 0 1 2 2V17h-15v-1.5a2 2 0 0 1 2-2ZM5 20.3h14',
  trash: 'M5 7h14M9.5 7V4.8h5V7M7 7l.8 12.7h8.4L17 7M10.4 10.8v5.4M13.6 10.8v5.4',
  user: 'M8.3 8.2a3.7 3.7 0 1 0 7.4 0a3.7 3.7 0 1 0 -7.4 0ZM4.8 20c.6-3.8 3.4-6 7.2-6s6.6 2.2 7.2 6',
  warn: 'M12 4.2 20.8 19.4H3.2ZM12 10v4M12 16.7v.01',
  x: 'M6 6l12 12M18 6 6 18',
}
const seal =
  'M20 1.6c2.6-.3 4.2 1.9 6.6 2.6 2.5.8 5.2.2 6.9 2.2 1.7 1.9.8 4.6 1.7 7 .8 2.3 3.2 3.9 3.2 6.6s-2.3 4.3-3.1 6.6c-.9 2.5 0 5.2-1.8 7.1-1.8 1.8-4.5 1.1-6.9 2-2.4.8-4 3-6.6 2.8-2.5-.2-4-2.3-6.3-3-2.5-.8-5.3.1-7.1-1.8-1.8-1.9-1-4.6-1.8-7.1-.8-2.3-3.1-3.9-3.2-6.5-.1-2.7 2.3-4.3 3.2-6.7.8-2.3-.1-5 1.6-6.9 1.8-2 4.6-1.5 7.1-2.3 2.3-.7 3.9-2.3 6.5-2.6Z'
const letter =
  'M25.4 15.1c-1.1-1.9-3-2.9-5.4-2.9-3 0-5.2 1.5-5.2 3.9 0 2.5 2.1 3.3 5.2 4 3.1.7 5.4 1.5 5.4 4.1 0 2.4-2.3 3.8-5.4 3.8-2.6 0-4.7-1-5.8-3'

const icon = (name, size = '') =>
  `<svg class="ico ${size}" viewBox="0 0 24 24" aria-hidden="true"><path d="${drawings[name]}"/></svg>`
const brand = `<a class="brand" href="#"><svg viewBox="0 0 40 40" aria-hidden="true"><path fill="#8E1F33" d="${seal}"/>
  <circle cx="20" cy="20" r="13.2" fill="none" stroke="#fff" stroke-opacity=".55" stroke-width=".9"/>
  <path fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" d="${letter}"/></svg><b>Sygnet</b></a>`
const wax = `<svg class="wax" viewBox="0 0 40 40" aria-hidden="true"><path fill="#8E1F33" d="${seal}"/></svg>`

const menu = [
  { items: [['Start', 'home', 'offline']] },
  {
    label: 'Certyfikaty',
    items: [
      ['Podpis kwalifikowany', 'pen'],
      ['Pieczęć kwalifikowana', 'stamp'],
      ['Znacznik czasu', 'clock'],
    ],
  },
  {
    label: 'Moje konto',
    items: [
      ['Moje dane', 'user', 'phone-change'],
      ['Bezpieczeństwo', 'lock', 'security'],
      ['Zmiana hasła', 'key'],
      ['Moje sprawy', 'cases'],
    ],
  },
  {
    label: 'Dokumenty i\u00a0pomoc',
    items: [
      ['Dokumenty', 'doc', 'list'],
      ['Pytania i odpowiedzi', 'help', 'faq'],
      ['Oprogramowanie', 'laptop'],
    ],
  },
]
const { page, tab, frame: kind } = document.body.dataset

const link = ([name, drawing, file]) =>
  `<a href="${file ? `${file}.html` : '#'}"${file === page ? ' aria-current="page"' : ''}>${icon(drawing)}${name}${file === page ? wax : ''}</a>`
const group = ({ label, items }) => (label ? `<p class="nav__label">${label}</p>` : '') + items.map(link).join('')
const shortcut = ([name, drawing]) =>
  `<li><a href="#"${name === tab ? ' aria-current="page"' : ''}>${icon(drawing, 'ico--l')}<span>${name}</span></a></li>`
const shortcuts = [
  ['Start', 'home'],
  ['Certyfikaty', 'shieldok'],
  ['Dokumenty', 'doc'],
  ['Konto', 'user'],
  ['Więcej', 'menu'],
]
const { label: section } = menu.find(({ items }) => items.some(([, , file]) => file === page)) ?? {}
const title = document.title.replace(' – Sygnet', '')

const main = document.querySelector('main')
const frame = document.createElement('div')
const languages = `<nav class="lang" aria-label="Język / Language"><a href="#" aria-current="true" lang="pl">PL</a><a href="#" lang="en">EN</a></nav>`
const visitorFrame = `
<div class="auth__form"><header class="auth__bar">${brand}${languages}</header>
<footer class="auth__foot"><p>Pomoc: <a href="tel:+48221002030">+48 22 100 20 30</a>, pon.–pt. 8:00–17:00</p></footer></div>
<aside class="auth__art on-dark" aria-label="O portalu"><div class="auth__claim"><p class="auth__big">Podpis, który waży tyle co odręczny.</p></div></aside>`
const customerFrame = `
<a class="skip" href="#content">Przejdź do treści</a>
<aside class="side">${brand}<nav class="nav" aria-label="Menu główne">${menu.map(group).join('')}</nav>
<div class="side__help"><p class="muted">Pomoc, pon.–pt. 8:00–17:00</p><p><a href="tel:+48221002030">+48 22 100 20 30</a></p></div></aside>
<div class="main">
<header class="topbar"><div class="mtop">${brand}</div>
<nav class="crumbs" aria-label="Ścieżka"><ol>${section ? `<li><a href="#">${section}</a></li><li aria-hidden="true">/</li>` : ''}<li aria-current="page">${title}</li></ol></nav>
<div class="topbar__end">${languages}
<button class="who" type="button"><span class="avatar" aria-hidden="true">MW</span><span class="who__name">Małgorzata Wiśniewska</span>${icon('down', 'ico--s')}</button></div></header>
<footer class="foot"><a href="#">Regulamin</a><a href="#">Prywatność</a><a href="#">Deklaracja dostępności</a><a href="#">Kontakt</a></footer>
</div>
<nav class="tabbar" aria-label="Skróty"><ul class="tabbar__in">${shortcuts.map(shortcut).join('')}</ul></nav>`
frame.className = kind === 'visitor' ? 'auth' : 'app'
frame.innerHTML = kind === 'visitor' ? visitorFrame : customerFrame
main.before(frame)
const bar = document.querySelector('.offline')
if (bar) frame.querySelector('.topbar').before(bar)
frame.querySelector('.foot, .auth__foot').before(main)
for (const place of document.querySelectorAll('svg[data-icon]'))
  place.outerHTML = icon(place.dataset.icon, place.dataset.size)
